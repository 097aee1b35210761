import { describe, expect, test } from "vitest";
import type { PaneAddress, Role, SessionId } from "../names/gates.js";
import { judgeRows } from "./gone.js";
import type { FleetPane } from "./panes.js";
import { findShifts } from "./shifts.js";

/** Every tmux session was created at 100. */
const sessionCreatedMs = 100_000;
const [earlier, during, now, later] = [99, 200, 300, 301];
const [x, y] = ["x", "y"] as SessionId[] as [SessionId, SessionId];

interface Given {
  /** Address → where its mark says, or null for none. */
  panes: Record<string, string | null>;
  rows: string[];
  epoch?: number | null;
  /** What every pane is called. */
  title?: string;
  /** Address → the session that runs there. */
  live?: Record<string, SessionId>;
  /** Address → the session that its client was started with. */
  started?: Record<string, SessionId>;
  sessions?: Record<string, SessionId>;
  /** Some pane of each tmux session was marked once. */
  wasMarked?: boolean;
}

function judged(given: Given) {
  const {
    panes,
    rows,
    epoch = during,
    title,
    live = {},
    started = {},
    sessions = {},
    wasMarked = false,
  } = given;
  const seen = Object.entries(panes).map(([address, marked]) => ({
    address,
    alsoAt: [],
    sessionId: "$1",
    sessionCreatedMs,
    team: wasMarked ? "$1|a" : "$7|a",
    sessionName: address.slice(0, address.lastIndexOf(":")),
    mark: marked === null ? null : { address: marked, role: "po" },
    live: live[address] === undefined ? null : { sessionId: live[address] },
    arguments: started[address] === undefined ? null : { began: started[address] },
    process: null,
  })) as unknown as FleetPane[];
  const roles = rows.map((pane) => ({ pane: pane as PaneAddress, role: "po" as Role, epoch }));
  const found = judgeRows(
    { panes: seen, shifts: findShifts(seen), takenAtMs: now * 1000 },
    {
      roles,
      sessions: Object.entries(sessions).map(([pane, uuid]) => ({ pane: pane as PaneAddress, uuid })),
    },
    () => (title ?? null) as Role | null,
  );
  const awaited = [...found.awaited.keys(), ...found.awaitedAlone];
  return { gone: [...found.gone] as string[], awaited: awaited as string[] };
}

const is = (fate: "kept" | "gone" | "awaited", ...rows: string[]) => ({
  gone: fate === "gone" ? rows : [],
  awaited: fate === "awaited" ? rows : [],
});

describe("rows for which no mark speaks", () => {
  const both = { "a:0.0": null, "a:0.1": "a:0.1" };
  test.each<[string, Given, ReturnType<typeof judged>]>([
    ["[GN1] nothing is lost where nothing runs", { panes: { "b:0.0": null }, rows: ["a:0.0"] }, is("kept")],
    [
      "[GN2] not one whose mark stands where no row can name it",
      { panes: { "a:0.0": "a:0.0", "my team:0.0": "a:0.7" }, rows: ["a:0.7"] },
      is("kept"),
    ],
    [
      "[GN2] one whose mark stands where no row can name it, if another took its place (incident 45)",
      { panes: { "a:0.7": null, "my team:0.0": "a:0.7" }, rows: ["a:0.7"], title: "po" },
      is("gone", "a:0.7"),
    ],
    [
      "[GN2] nor is it left to an ended agent whose own row another has by now",
      { panes: { "a:0.0": "a:0.0", "a:0.7": "a:0.0", "my team:0.0": "a:0.7" }, rows: ["a:0.0", "a:0.7"] },
      is("gone", "a:0.7"),
    ],
    [
      "[GN3] one whose pane is not there (incident 65)",
      { panes: { "a:0.0": "a:0.0" }, rows: ["a:0.0", "a:0.7"] },
      is("gone", "a:0.7"),
    ],
    [
      "[GN3] one whose place a pane without a mark took (incident 45)",
      { panes: both, rows: ["a:0.0"] },
      is("gone", "a:0.0"),
    ],
    [
      "[GN3] one of a tmux session whose marked panes were all closed (incident 45)",
      { panes: { "a:0.0": null }, rows: ["a:0.0", "a:0.7"], wasMarked: true },
      is("gone", "a:0.0", "a:0.7"),
    ],
    [
      "[GN4] one from before its tmux session waits, whoever stands there",
      { panes: { "a:0.0": null }, rows: ["a:0.0", "a:0.7"], epoch: earlier },
      is("awaited", "a:0.0", "a:0.7"),
    ],
    [
      "[GN4] also when others of its team were brought back",
      { panes: both, rows: ["a:0.0", "a:0.7"], epoch: earlier },
      is("awaited", "a:0.0", "a:0.7"),
    ],
    [
      "[GN4] so does one in a tmux session where nothing was ever marked",
      { panes: { "a:0.0": null, "b:0.0": "b:0.0" }, rows: ["a:0.0", "a:0.7"] },
      is("awaited", "a:0.0", "a:0.7"),
    ],
    [
      "[GN4] not one whose session runs elsewhere",
      {
        panes: both,
        rows: ["a:0.0"],
        epoch: earlier,
        sessions: { "a:0.0": x },
        live: { "a:0.0": y, "a:0.1": x },
      },
      is("gone", "a:0.0"),
    ],
    [
      "[GN4] a session's row alone waits with the roles of its team",
      { panes: { "a:0.0": null }, rows: ["a:0.0"], epoch: earlier, sessions: { "a:0.9": x } },
      is("awaited", "a:0.0"),
    ],
    [
      "[GN4] also where another stands, who is not taken for its agent",
      {
        panes: { "a:0.0": null, "a:0.9": null },
        rows: ["a:0.0"],
        epoch: earlier,
        sessions: { "a:0.9": x },
        live: { "a:0.9": y },
      },
      is("awaited", "a:0.0", "a:0.9"),
    ],
    [
      "[GN4] one that the clock says is still to come may be of an earlier tmux session too",
      { panes: both, rows: ["a:0.0"], epoch: later },
      is("awaited", "a:0.0"),
    ],
    [
      "[GN3] a session's row alone goes with its pane",
      { panes: { "a:0.0": "a:0.0" }, rows: ["a:0.0"], sessions: { "a:0.9": x } },
      is("gone", "a:0.9"),
    ],
    ["[GN5] one that the title confirms is kept", { panes: both, rows: ["a:0.0"], title: "po" }, is("kept")],
    [
      "[GN5] so is one that the session confirms",
      { panes: both, rows: ["a:0.0"], epoch: earlier, sessions: { "a:0.0": x }, live: { "a:0.0": x } },
      is("kept"),
    ],
    [
      "[GN5] also by what its client was started with, where it says nothing of itself",
      { panes: both, rows: ["a:0.0"], epoch: earlier, sessions: { "a:0.0": x }, started: { "a:0.0": x } },
      is("kept"),
    ],
    [
      "[GN5] but not against its word",
      {
        panes: both,
        rows: ["a:0.0"],
        epoch: earlier,
        sessions: { "a:0.0": x },
        started: { "a:0.0": x },
        live: { "a:0.0": y },
      },
      is("awaited", "a:0.0"),
    ],
    [
      "[GN5] one that a person wrote holds for whoever stands there, and goes where nobody does",
      { panes: both, rows: ["a:0.0", "a:0.7"], epoch: null },
      is("gone", "a:0.7"),
    ],
  ])("%s", (_, given, expected) => expect(judged(given)).toEqual(expected));
});
