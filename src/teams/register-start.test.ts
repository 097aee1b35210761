import { describe, expect, test } from "vitest";
import { pane } from "../../test/fleet/made.js";
import type { SessionStart } from "../agents/agent.js";
import type { HiveEvent } from "../events/event.js";
import type { FleetPane } from "../fleet/panes.js";
import { findShifts } from "../fleet/shifts.js";
import type { PaneAddress, PaneId, Role, SessionId, TeamName } from "../names/gates.js";
import { rekeyRows } from "../stores/rekey.js";
import { registerStart } from "./register-start.js";
import type { TeamWorld } from "./world.js";

const id = "%5" as PaneId;

/** When the rows that stand there were written, in seconds. */
const before = 17;
const now = 99;

interface Given {
  /** Where its pane stands at each look that follows moves; null where it is gone. */
  stands: (string | null)[];
  others?: FleetPane[];
  isMarked?: boolean;
  /** Its rows were written in an earlier tmux session of this name. */
  isEarlier?: boolean;
  /** Address → role and session of its rows, `–` for none. */
  rows?: Record<string, string>;
  session?: SessionStart;
}

const resume: SessionStart = { how: "resume", id: "s" as SessionId };

/** What is written for the start of `po`, then for the way back; and how its role is dated in between and afterwards. */
async function written(given: Given) {
  const { stands, others = [], isMarked = false, isEarlier = false, rows = {}, session = resume } = given;
  const looks = [...stands];
  let seen: readonly FleetPane[] = [];
  const events: HiveEvent[] = [];
  const entries = Object.entries(rows).map(([at, words]) => [at, words.split(" ")] as const);
  const kept = (field: "role" | "uuid", word: 0 | 1) =>
    entries
      .filter(([, words]) => words[word] !== "–")
      .map(([at, words]) => ({ pane: at as PaneAddress, [field]: words[word], epoch: before }));
  const [roles, sessions] = [{ rows: kept("role", 0) }, { rows: kept("uuid", 1) }];
  const world = {
    stores: {
      roles: {
        read: () => roles,
        update: async (change: (rows: object[]) => typeof roles.rows) => {
          roles.rows = change(roles.rows);
        },
      },
      sessions: { read: () => sessions, update: async () => {} },
      forks: { append: async () => {} },
      queues: { panes: () => [] },
      holds: { read: () => ({ rows: [] }) },
    },
    tmux: {},
    panes: async () => ({ panes: seen, shifts: findShifts([]), takenAtMs: Date.now() }),
    followMoves: async () => {
      const at = looks.shift() ?? null;
      const mark = isMarked ? { address: at, role: "po" } : null;
      const team = isEarlier ? "" : "$1|t";
      const own = at === null ? [] : [pane(at, { id, mark, team, name: null } as Partial<FleetPane>)];
      seen = [...own, ...others];
      return { panes: seen };
    },
    emit: async (event: HiveEvent) => {
      events.push(event);
      // Its mark dates a role from before its tmux session anew.
      if (event.name === "agent.spawned" && isEarlier)
        roles.rows = roles.rows.map((row) => (row.pane === event.pane ? { ...row, epoch: now } : row));
      if (event.name !== "pane.moved") return;
      for (const store of [roles, sessions])
        store.rows = [...rekeyRows(store.rows, new Map([[event.from, event.to]]))];
    },
  } as unknown as TeamWorld;
  const told = () => events.splice(0).map(({ name, ...facts }) => [name, ...Object.values(facts)].join(" "));
  const { undo } = await registerStart(world, { id }, { role: "po" as Role, team: "t" as TeamName, session });
  const started = told();
  const dated = roles.rows.map(({ epoch }) => epoch);
  await undo();
  return { started, undone: told(), dated, datedBack: roles.rows.map(({ epoch }) => epoch) };
}

describe("an agent is registered where its pane stands by then", () => {
  test.each<[string, Given, string[], string[]]>([
    [
      "[RGS1] also when others moved up meanwhile",
      { stands: ["t:0.0", "t:0.0"], isMarked: true, rows: { "t:0.0": "po s", "t:0.1": "x y" } },
      ["agent.spawned t:0.0 po s"],
      ["agent.spawned t:0.0 po s"],
    ],
    [
      "[RGS1] and is taken back where it stands when it fails",
      { stands: ["t:0.1", "t:0.0"] },
      ["agent.spawned t:0.1 po s"],
      ["agent.killed t:0.0"],
    ],
    [
      "[RGS1] or stood last, when its pane is gone",
      { stands: ["t:0.1", null] },
      ["agent.spawned t:0.1 po s"],
      ["agent.killed t:0.1"],
    ],
    [
      "[RGS1] unless another pane came to stand there",
      { stands: ["t:0.1", null], others: [pane("t:0.1")] },
      ["agent.spawned t:0.1 po s"],
      [],
    ],
  ])("%s", async (_, given, started, undone) =>
    expect(await written(given)).toMatchObject({ started, undone }),
  );

  test("[RGS1] and not at all where it is gone", async () => {
    await expect(written({ stands: [null] })).rejects.toThrow("there is no pane %5");
  });
});

describe("a row that stood there under another name", () => {
  const fork: SessionStart = { how: "fork", id: "child" as SessionId, parent: "s" as SessionId };
  const again: SessionStart = { how: "fork", id: "s" as SessionId, parent: "p" as SessionId };
  const stands = ["t:0.0", "t:0.0"];
  test.each<[string, Given, boolean]>([
    ["[RGS2] is another agent's, of another session", { stands, rows: { "t:0.0": "x z" } }, true],
    ["[RGS2] is another agent's, of no known session", { stands, rows: { "t:0.0": "x –" } }, true],
    ["[RGS2] is its own, of the session that is opened", { stands, rows: { "t:0.0": "x s" } }, false],
    [
      "[RGS2] is its own, of the session that is forked",
      { stands, rows: { "t:0.0": "x s" }, session: fork },
      false,
    ],
    [
      "[RGS2] is its own, of a fork that begins again",
      { stands, rows: { "t:0.0": "x s" }, session: again },
      false,
    ],
    [
      "[RGS2] is its own, of the pane that is marked",
      { stands, rows: { "t:0.0": "x z" }, isMarked: true },
      false,
    ],
  ])("%s", async (_, given, isKilled) => {
    const { started, undone } = await written(given);
    expect(started.includes("agent.killed t:0.0 unasked")).toBe(isKilled);
    expect(undone.includes("agent.killed t:0.0")).toBe(isKilled);
  });
});

test("[RGS2] a row of who can come back gives way, and is not taken back when the start fails", async () => {
  const rows = { "t:0.0": "x z" };
  expect(await written({ stands: ["t:0.0", "t:0.0"], rows, isEarlier: true })).toMatchObject({
    started: ["pane.moved t:0.0 t:0.1", "agent.spawned t:0.0 po s"],
    undone: ["agent.killed t:0.0"],
  });
});

test.each<[string, SessionStart, boolean]>([
  ["is dated anew with another session", { how: "create", id: "new" as SessionId }, true],
  ["also with a fork of its own", { how: "fork", id: "new" as SessionId, parent: "s" as SessionId }, true],
  ["keeps its time with the same session", resume, false],
])("[RGS3] a role %s, until the way back", async (_, session, isAnew) => {
  const startedAt = Math.floor(Date.now() / 1000);
  const { dated, datedBack } = await written({
    stands: ["t:0.0", "t:0.0"],
    isMarked: true,
    rows: { "t:0.0": "po s", "t:0.1": "x y" },
    session,
  });
  expect(dated[0]! >= startedAt).toBe(isAnew);
  expect([dated[1], datedBack]).toEqual([before, [before, before]]);
});

test("[RGS3] who was not back when the start failed is as old as before, whatever its mark says", async () => {
  const rows = { "t:0.0": "po s" };
  const { dated, datedBack } = await written({ stands: ["t:0.0", "t:0.0"], rows, isEarlier: true });
  expect([dated, datedBack]).toEqual([[now], [before]]);
});
