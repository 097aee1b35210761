// Rows of every store, for tests that apply to all of them.

import fc from "fast-check";
import type { AgentId } from "../../src/names/agent-id.js";
import type { PaneAddress, Role, SessionId, TeamName } from "../../src/names/gates.js";
import { agentKinds } from "../../src/names/kind.js";
import type { RowFile } from "../../src/stores/file/row-file.js";
import { holdWords } from "../../src/stores/holds.js";
import { openStores, type Stores } from "../../src/stores/stores.js";
import type { TestHome } from "../home.js";

export const teams = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,12}$/) as fc.Arbitrary<TeamName>;
export const roles = fc.stringMatching(/^[A-Za-z][A-Za-z0-9._-]{0,12}$/) as fc.Arbitrary<Role>;
export const agents = fc.stringMatching(/^[a-z2-7]{10}$/) as fc.Arbitrary<AgentId>;
/** The ids of every kind. */
export const uuids = fc.oneof(
  fc.uuid(),
  fc.stringMatching(/^ses_[0-9A-Za-z]{26}$/),
) as unknown as fc.Arbitrary<SessionId>;
export const panes = fc
  .tuple(teams, fc.nat(99), fc.nat(99))
  .map(([team, window, pane]): PaneAddress => `${team}:${window}.${pane}`);
/** A valid field: any text without a delimiter and control characters. */
export const texts = fc
  .string({ unit: "grapheme", maxLength: 20 })
  .filter((text) => !/[|\p{C}\u2028\u2029]/u.test(text));
const projects = fc.stringMatching(/^[A-Za-z0-9._-]{1,12}$/);
const folders = texts.map((text) => `/${text}`);
const times = fc.constantFrom("2026-04-22T08:52:40Z", "2026-11-15T09:00:00Z");
const launches = fc.tuple(texts, texts).map(([a, b]) => `{${a}|${b}}`);
const sizes = fc.integer({ min: 1, max: 9999 });

type RowStore = [string, (stores: Stores) => RowFile<object>, fc.Arbitrary<object>];

/** Each row store with valid rows. */
export const rowStores: readonly RowStore[] = [
  rowStore("roles", (s) => s.roles, fc.record({ pane: panes, role: roles, epoch: fc.option(fc.nat()) })),
  rowStore("sessions", (s) => s.sessions, fc.record({ pane: panes, uuid: uuids })),
  rowStore("teams", (s) => s.teams, fc.record({ team: teams, description: texts })),
  rowStore("viewerWindows", (s) => s.viewerWindows, fc.record({ window: fc.nat(99), team: teams })),
  rowStore("sizeLocks", (s) => s.sizeLocks, fc.record({ team: teams, width: sizes, height: sizes })),
  rowStore(
    "holds",
    (s) => s.holds,
    fc.record({ agent: agents, word: fc.constantFrom(...holdWords), since: times, by: texts }),
  ),
  rowStore(
    "launches",
    (s) => s.launches,
    fc.record({ agent: agents, cwd: fc.option(folders), launch: fc.option(launches) }),
  ),
  rowStore("projects", (s) => s.projects, fc.record({ project: projects, folder: folders })),
  rowStore("moved", (s) => s.sessionOverrides, fc.record({ project: projects, agent: roles, uuid: uuids })),
  rowStore(
    "accounts",
    (s) => s.accounts,
    fc.record({ kind: fc.constantFrom(...agentKinds), folder: folders }),
  ),
];

/** Only the pair knows the type of its rows. */
function rowStore<Row extends object>(
  name: string,
  pick: (stores: Stores) => RowFile<Row>,
  rows: fc.Arbitrary<Row>,
): RowStore {
  return [name, pick as unknown as (stores: Stores) => RowFile<object>, rows];
}

export const attacks = [
  "../x",
  "a|b",
  "-rf",
  "a\nb",
  "a\rb",
  "$(x)",
  "#(touch x)",
  "=x",
  "a\0b",
  "",
  "x".repeat(10_000),
];

export function storesOf(home: TestHome): Stores {
  return openStores(home.env);
}
