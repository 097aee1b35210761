// The ids of every kind in every store that has some: they come back as they were, and nothing else gets in.

import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { storesOf } from "../../test/stores/samples.js";
import type { AgentId } from "../names/agent-id.js";
import type { Role, SessionId, TeamName } from "../names/gates.js";
import type { Stores } from "./stores.js";
import { bundleTexts } from "./text/bundle.js";
import type { StoredRow } from "./text/snapshot-text.js";

const own = "ses_e1135eb14ffeq5wrzXVqMDsmEQ" as SessionId;
const team = "web" as TeamName;
const agent = "aaaaaaaaaa" as AgentId;
const at = "2026-04-22T08:52:40Z";

const agentRow = (session: SessionId) =>
  ({ id: agent, team, role: null, kind: "opencode", session, seat: null, address: null, epoch: 1 }) as const;
const forkRow = (uuid: SessionId) =>
  ({ at, pane: null, role: null, uuid, state: "live", parent: uuid }) as const;
const savedRow = (uuid: SessionId): StoredRow => ({
  ...{ agent, team, window: 0, pane: 0, role: null, uuid },
  ...{ title: "t", cwd: "/a", model: "", kind: "opencode" },
});
const views = { roles: [], sessions: [], afterCommit: async () => {} };

interface Store {
  write(stores: Stores, id: SessionId): Promise<unknown>;
  ids(stores: Stores): (SessionId | null)[];
  /** A line with this id, as another program could have written it. */
  line(id: string): string;
  path(stores: Stores): string;
}

const rowStores: Record<string, Store> = {
  "S0, the roster": {
    write: (stores, id) =>
      stores.roster.update(() => ({ agents: [agentRow(id)], views, afterCommit: async () => {} })),
    ids: (stores) => stores.roster.read().agents.map(({ session }) => session),
    line: (id) => `bbbbbbbbbb|web||opencode|${id}|||1`,
    path: ({ paths }) => paths.roster,
  },
  "S2, the sessions": {
    write: (stores, uuid) => stores.sessions.update(() => [{ pane: "web:0.1", uuid }]),
    ids: (stores) => stores.sessions.read().rows.map(({ uuid }) => uuid),
    line: (id) => `web:0.2|${id}`,
    path: ({ paths }) => paths.sessions,
  },
  "S5, the forks": {
    write: (stores, id) => stores.forks.append([forkRow(id)]),
    ids: (stores) => [...stores.forks.scan()].flatMap(({ uuid, parent }) => [uuid, parent]),
    line: (id) => `${at}|||${id}|live|`,
    path: ({ paths }) => paths.forks,
  },
  "the overrides": {
    write: (stores, uuid) =>
      stores.sessionOverrides.update(() => [{ project: "p", agent: "dev" as Role, uuid }]),
    ids: (stores) => stores.sessionOverrides.read().rows.map(({ uuid }) => uuid),
    line: (id) => `p:other|${id}`,
    path: ({ sessionOverrides }) => sessionOverrides.path,
  },
  "S4, a snapshot": {
    write: async (stores, id) =>
      stores.snapshots.create([savedRow(id)], { isAutosave: false, silent: new Set([id]) }),
    ids: (stores) =>
      stores.snapshots.list().flatMap(({ path }) => {
        const { rows, silent } = stores.snapshots.read(path);
        return [...rows.map(({ uuid }) => uuid), ...silent];
      }),
    line: (id) => `web|0.1||${id}|t|/a||opencode`,
    path: ({ snapshots }) => snapshots.list()[0]!.path,
  },
};
const cases = Object.entries(rowStores);

const hostile = [
  ["too long", `ses_${"a".repeat(41)}`],
  ["too short", "ses_abc"],
  ["a slash", "ses_e1135eb14ffe/../../passwd"],
  ["a line break", "ses_e113\n5eb14ffeq5wrzXVqMDsmEQ"],
  ["a delimiter", "ses_e1135eb14ffeq5wrz|XVqMDsmEQ"],
  ["a prefix in upper case", "SES_e1135eb14ffeq5wrzXVqMDsmEQ"],
  ["another prefix", "msg_e1135eb14ffeq5wrzXVqMDsmEQ"],
] as const;
const attacks = cases.flatMap(([name, store]) => hostile.map(([what, id]) => ({ name, what, id, store })));

describe("OpenCode's id", () => {
  test.each(cases)("%s: is read as it was written, letter by letter", async (_, { write, ids }) => {
    const home = testHome();
    await write(storesOf(home), own);
    const stores = storesOf(home);
    expect(new Set(ids(stores))).toEqual(new Set([own]));
    expect(stores.problems()).toEqual([]);
  });

  test.each(attacks)("$name: with $what, is refused and written nowhere", async ({ id, store }) => {
    const home = testHome();
    await expect((async () => store.write(storesOf(home), id as SessionId))()).rejects.toThrow(/refused/);
    expect(store.ids(storesOf(home))).toEqual([]);
  });

  test.each(attacks)("$name: with $what, is a bad row beside a good one", async ({ id, store }) => {
    const home = testHome();
    await store.write(storesOf(home), own);
    appendFileSync(store.path(storesOf(home)), `${store.line(id)}\n`);
    const stores = storesOf(home);
    expect(new Set(store.ids(stores))).toEqual(new Set([own]));
    expect(stores.problems()).not.toEqual([]);
  });

  test("in a receipt is a detail like any other", async () => {
    const home = testHome();
    const row = { at, id: `${agent}@7`, pane: "web:0.1", step: "typing", detail: `into ${own}` } as const;
    await storesOf(home).receipts.append([row]);
    expect(storesOf(home).receipts.read().rows).toMatchObject([{ detail: `into ${own}` }]);
  });

  test("in a bundle is read with the readers of a config folder", () => {
    const home = testHome();
    const snapshot = { rows: [savedRow(own)], silent: new Set([own]), savedAtMs: Date.UTC(2026, 3, 22) };
    const rows = { agents: [agentRow(own)], teams: [], roles: [], layouts: [], snapshot };
    const sessions = [{ pane: "web:0.1", uuid: own }] as const;
    for (const [path, text] of bundleTexts({ ...rows, sessions, forks: [forkRow(own)] })) {
      mkdirSync(dirname(join(home.config, path)), { recursive: true });
      writeFileSync(join(home.config, path), text);
    }
    const stores = storesOf(home);
    const inBundle = cases.filter(([name]) => name !== "the overrides");
    for (const [name, { ids }] of inBundle)
      expect([name, new Set(ids(stores))]).toEqual([name, new Set([own])]);
    expect(stores.problems()).toEqual([]);
  });
});
