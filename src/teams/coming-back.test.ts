import { describe, expect, test } from "vitest";
import { pane } from "../../test/fleet/made.js";
import type { SessionStart } from "../agents/agent.js";
import type { FleetPane } from "../fleet/panes.js";
import { findShifts } from "../fleet/shifts.js";
import type { PaneAddress, Role, SessionId } from "../names/gates.js";
import { type Comer, roomFor } from "./coming-back.js";

const at = (place: string) => `t:${place}` as PaneAddress;

/** When the tmux session began, and when its rows were written: before that, and since. */
const createdMs = 2_000_000;
const earlier = 1_000;
const since = 3_000;

interface Given {
  /** What stands there, beside the new pane: `–` for a stranger, `(po)` for one of that title, else the role of its mark. */
  panes?: Record<string, string>;
  /** Place → role and session, `–` for none. */
  rows: Record<string, string>;
  /** Places of rows that were written since the tmux session began. */
  late?: string[];
  others?: string[];
  isMarked?: boolean;
  /** The place that the mark of a pane names which stands where no row can name it. */
  astray?: string;
  comer?: Partial<Comer>;
}

/** What happens before `po`, whose session is `s`, is registered at 0.2. */
function room(given: Given) {
  const { panes = {}, rows, late = [], others = [], isMarked = false, astray, comer = {} } = given;
  const standing = { ...panes, "0.2": isMarked ? "po" : "–" };
  const all = Object.entries(standing).map(([place, who]) => {
    const name = /^\((.*)\)$/.exec(who)?.[1] ?? null;
    const mark = who === "–" || name !== null ? null : { address: at(place), role: who };
    return standingPane(at(place), { name, mark });
  });
  if (astray !== undefined)
    all.push(standingPane("no team:0.0", { name: null, mark: { address: at(astray), role: "po" } }));
  const seen = {
    server: null,
    panes: all,
    shifts: findShifts(all),
    takenAtMs: 10_000_000,
    background: [],
    clients: [],
  };
  const written = Object.entries(rows).map(([place, words]) => [place, ...words.split(" ")] as const);
  const roles = written
    .filter(([, role]) => role !== "–")
    .map(([place, role]) => ({
      pane: at(place),
      role: role as Role,
      epoch: late.includes(place) ? since : earlier,
    }));
  const sessions = written
    .filter(([, , uuid]) => uuid !== "–")
    .map(([place, , uuid]) => ({ pane: at(place), uuid: uuid as SessionId }));
  const session: SessionStart = { how: "resume", id: "s" as SessionId };
  const event = roomFor(
    { role: "po" as Role, session, ...comer },
    all.find(({ address }) => address === at("0.2"))!,
    seen,
    { roles, sessions },
    others.map(at),
  );
  if (event === null) return null;
  const { name, ...told } = event;
  return [name, ...Object.values(told)].join(" ");
}

function standingPane(address: string, facts: { name: string | null; mark: object | null }): FleetPane {
  const shell = { process: null, kind: "shell", sessionCreatedMs: createdMs };
  return pane(address, { ...shell, ...facts } as Partial<FleetPane>);
}

const byName = { isByName: true, session: { how: "create", id: "new" as SessionId } } as const;
const fork = { session: { how: "fork", id: "new" as SessionId, parent: "s" as SessionId } } as const;

describe("who comes back", () => {
  test.each<[string, Given, string | null]>([
    ["[TCB1] has its rows already", { rows: { "0.2": "po s" } }, null],
    ["[TCB1] takes them along", { rows: { "0.0": "po s" } }, "panes.swapped t t:0.0 t:0.2"],
    [
      "[TCB1] also from a place at which a stranger stands, and leaves what was kept here there",
      { panes: { "0.0": "–" }, rows: { "0.0": "po s", "0.2": "dev d" } },
      "panes.swapped t t:0.0 t:0.2",
    ],
    ["[TCB1] also as a fork", { rows: { "0.0": "po s" }, comer: fork }, "panes.swapped t t:0.0 t:0.2"],
    [
      "[TCB1] not from a pane whose mark says that it is the one",
      { panes: { "0.0": "po" }, rows: { "0.0": "po s" } },
      null,
    ],
    [
      "[TCB1] nor from one whose title does",
      { panes: { "0.0": "(po)" }, rows: { "0.0": "po z" }, comer: byName },
      null,
    ],
    [
      "[TCB1] nor from one that stands where no row can name it",
      { panes: { "0.0": "–" }, rows: { "0.0": "po s" }, astray: "0.0" },
      null,
    ],
    ["[TCB1] not those of another conversation", { rows: { "0.0": "po z" } }, null],
    [
      "[TCB1] unless its name tells whose they are",
      { rows: { "0.0": "po z" }, comer: byName },
      "panes.swapped t t:0.0 t:0.2",
    ],
    [
      "[TCB1] nor those of who it is only forked from",
      { rows: { "0.0": "lead s" }, comer: { ...fork, isByName: true } },
      null,
    ],
    [
      "[TCB2] has no rows, and what is kept here goes to the next free place",
      { panes: { "0.3": "dev" }, rows: { "0.2": "extra x", "0.4": "qa q" }, others: ["0.5"] },
      "pane.moved t:0.2 t:0.6",
    ],
    [
      "[TCB2] also of who it is forked from",
      { rows: { "0.2": "lead s" }, comer: { ...fork, isByName: true } },
      "pane.moved t:0.2 t:0.3",
    ],
    [
      "[TCB2] also a shell's",
      { rows: { "0.2": "sh –" }, comer: { session: null, isByName: true } },
      "pane.moved t:0.2 t:0.3",
    ],
    [
      "[TCB2] also a session's row alone, that waits with others",
      { rows: { "0.2": "– x", "0.7": "qa q" } },
      "pane.moved t:0.2 t:0.3",
    ],
    ["[TCB2] is asked for by the name that this place is kept for", { rows: { "0.2": "po z" } }, null],
    ["[TCB2] has its own here under another name", { rows: { "0.2": "dev s" } }, null],
    [
      "[TCB2] finds a row here whose pane is gone, which is nobody's to come back",
      { panes: { "0.1": "dev" }, rows: { "0.2": "extra x" }, late: ["0.2"] },
      null,
    ],
    [
      "[TCB3] stands in a pane that is its own",
      { isMarked: true, rows: { "0.2": "po s", "0.0": "po s" }, comer: byName },
      null,
    ],
  ])("%s", (_, given, expected) => expect(room(given)).toBe(expected));
});
