import { expect, test } from "vitest";
import { fleetOf, pane, seated } from "../../test/fleet/made.js";
import { idOf } from "../../test/transcripts/files.js";
import type { HiveEvent } from "../events/event.js";
import type { FleetPane } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { AgentId } from "../names/agent-id.js";
import type { PaneAddress, TeamName } from "../names/gates.js";
import type { ForkRow } from "../stores/forks.js";
import type { SnapshotRow } from "../stores/text/snapshot-text.js";
import { calmOf } from "./calm.js";
import { decide, type Look, type Memory, noMemory } from "./decide.js";

const web = "web" as TeamName;
const address = "web:0.0" as PaneAddress;
const known = seated(address, "po");
const { id } = known;

function rowOf(facts: Partial<SnapshotRow> = {}): SnapshotRow {
  const place = { team: web, window: 0, pane: 0, role: null, title: "", cwd: "/a", model: "" };
  return { ...place, agent: null, uuid: idOf(1), kind: "claude", ...facts };
}

/** A team of one idle agent that is registered, saved, and as the stores say. */
function look(facts: Partial<Look> = {}, activity = "idle"): Look {
  const live = { activity, waitingFor: null } as FleetPane["live"];
  const process = { pid: 1 } as FleetPane["process"];
  const agent = pane(address, { live, dead: false, process, agent: known });
  return {
    nowMs: 0,
    clockMs: 0,
    fleet: fleetOf([], [[agent, idOf(1), "stable"]]),
    screens: new Map(),
    changing: new Set(),
    unwritten: [],
    newRows: [],
    usedUp: [],
    launches: new Map(),
    registered: [web],
    events: [],
    queued: [],
    handed: [],
    isTooSmall: false,
    rows: [rowOf()],
    lost: [],
    saved: new Map([[web, [rowOf()]]]),
    ...facts,
  };
}

const stepsOf = (facts: Partial<Look>, memory: Memory = noMemory, activity?: string) =>
  decide(memory, look(facts, activity), { isReconciling: false }).steps.map((step) => step.do);

const forkRow: ForkRow = {
  ...{ at: "2026-01-01T00:00:00Z", pane: address, role: null },
  ...{ uuid: idOf(1), state: "stable", parent: null },
};
const behind = { unwritten: ["a row"], usedUp: ["a.json"] };
const grown = { rows: [rowOf(), rowOf({ pane: 1, uuid: idOf(2) })] };

test("a host that is cut off delivers nothing, and delivers at once when it is back", () => {
  const waiting = { queued: [known.id], isCutOff: true };
  const first = decide(noMemory, look(), { isReconciling: false });
  const cut = decide(first.memory, look(waiting), { isReconciling: false });
  expect(cut.steps.filter((step) => step.do === "drain" || step.do === "heal")).toEqual([]);
  const back = decide(cut.memory, look({ ...waiting, isCutOff: false }), { isReconciling: false });
  expect(back.steps).toContainEqual({ do: "drain", agents: [known.id] });
});

test("a turn in which nothing changed has no steps and no facts", () => {
  const first = decide(noMemory, look(), { isReconciling: false });
  const second = decide(first.memory, look({ nowMs: 10_000 }), { isReconciling: false });
  expect([first.steps, first.facts, second.steps, second.facts]).toEqual([[], [], [], []]);
});

test("stores that are behind are refreshed, used-up reports swept", () => {
  expect([stepsOf(behind), stepsOf({ newRows: [forkRow] })]).toEqual([["refresh"], ["refresh"]]);
  expect(stepsOf({ usedUp: ["a.json"] })).toEqual(["sweep"]);
});

test("while a command changes a team it is neither refreshed nor saved", () => {
  const changing = new Set(["web"]);
  expect([stepsOf(behind), stepsOf(grown)]).toEqual([["refresh"], ["save"]]);
  expect([stepsOf({ ...behind, changing }), stepsOf({ ...grown, changing })]).toEqual([[], []]);
  expect(stepsOf({ ...grown, changing: new Set(["ops"]) })).toEqual(["save"]);
});

test("nothing is saved or repaired before the stores follow", () => {
  const both = { ...behind, ...grown };
  expect(decide(noMemory, look(both), { isReconciling: true }).steps).toEqual([{ do: "refresh" }]);
  expect(decide(noMemory, look(grown), { isReconciling: true }).steps).toEqual([
    { do: "save", teams: [web] },
    { do: "reconcile" },
  ]);
});

test("what a refresh did not settle is tried again after a while, something else at once", () => {
  const { memory } = decide(noMemory, look(behind), { isReconciling: false });
  expect(stepsOf({ ...behind, nowMs: 10 }, memory)).toEqual([]);
  expect(stepsOf({ unwritten: ["another row"], nowMs: 10 }, memory)).toEqual(["refresh"]);
  expect(stepsOf({ ...behind, nowMs: limits.watchAgainMs }, memory)).toEqual(["refresh"]);
  const tried = decide(noMemory, look({ newRows: [forkRow] }), { isReconciling: false }).memory;
  expect(stepsOf({ newRows: [{ ...forkRow, at: "2026-01-01T00:00:09Z" }], nowMs: 10 }, tried)).toEqual([]);
});

test.each([
  ["idle", ["drain"]],
  ["busy", []],
  ["waiting", []],
])("the queue of an agent that is %s: %j", (activity, expected) => {
  expect(stepsOf({ queued: [id] }, noMemory, activity)).toEqual(expected);
});

test("the queue of an agent that took no message, and of an agent that is away, is left alone", () => {
  const memory = { ...noMemory, stopped: new Map([[id, 5]]) };
  expect(stepsOf({ queued: [id], nowMs: 10 }, memory)).toEqual([]);
  expect(stepsOf({ queued: [id], nowMs: limits.watchAgainMs + 5 }, memory)).toEqual(["drain"]);
  expect(stepsOf({ queued: ["zzzzzzzzzz" as AgentId] })).toEqual([]);
  expect(stepsOf({ queued: [id], handed: [id] }, noMemory, "busy")).toEqual(["drain"]);
});

test("an agent that took no message while it worked is tried as soon as it listens", () => {
  const busy = decide(noMemory, look({}, "busy"), { isReconciling: false }).memory;
  const memory = { ...busy, stopped: new Map([[id, 5]]) };
  expect(stepsOf({ queued: [id], handed: [id], nowMs: 10 }, memory, "busy")).toEqual([]);
  expect(stepsOf({ queued: [id], nowMs: 10 }, memory, "idle")).toEqual(["drain"]);
});

test("autosaves are some time apart, and so are repairs", () => {
  const { memory } = decide(noMemory, look(grown), { isReconciling: true });
  expect(stepsOf({ ...grown, nowMs: limits.autosaveGapMs - 1 }, memory)).toEqual([]);
  expect(stepsOf({ ...grown, nowMs: limits.autosaveGapMs }, memory)).toEqual(["save"]);
  const repairs = (nowMs: number) => decide(memory, look({ nowMs }), { isReconciling: true }).steps;
  expect(repairs(limits.watchReconcileMs - 1)).toEqual([]);
  expect(repairs(limits.watchReconcileMs)).toEqual([{ do: "reconcile" }]);
});

test("a team that is not saved is reported once; an agent that a command ended is not missing", () => {
  const lost = { rows: [rowOf({ uuid: null, kind: "shell" })] };
  const first = decide(noMemory, look(), { isReconciling: false });
  const second = decide(first.memory, look(lost), { isReconciling: false });
  const third = decide(second.memory, look(lost), { isReconciling: false });
  expect([second.steps, third.steps, third.facts]).toEqual([[], [], []]);
  expect(second.facts).toEqual([
    {
      kind: "unsaved",
      text: "web: web:0.0 ended without a command, so the team is not saved; if that is right: hivemind save",
    },
  ]);
  const asked = look({ ...lost, events: [{ name: "agent.killed", pane: address, cause: "asked" }] });
  const killed = decide(first.memory, asked, { isReconciling: false });
  expect(killed.steps).toEqual([{ do: "save", teams: [web] }]);
  expect(decide(killed.memory, look(lost), { isReconciling: false }).facts).toEqual([]);
  const found = look({ ...lost, events: [{ name: "agent.killed", pane: address, cause: "gone" }] });
  expect(decide(first.memory, found, { isReconciling: false })).toMatchObject({
    steps: [],
    facts: second.facts,
  });
  const changed = look({ ...lost, changing: new Set(["web"]) });
  expect(decide(first.memory, changed, { isReconciling: false }).facts).toEqual([]);
  const saved = new Map([[web, lost.rows]]);
  expect(decide(killed.memory, look({ ...lost, saved }), { isReconciling: false }).memory.ended).toEqual([]);
});

test("what another server lacks was not asked for, whatever the log says of it", () => {
  const { memory } = decide(noMemory, look(), { isReconciling: false });
  const lost = look({ rows: [rowOf({ uuid: null, kind: "shell" })] });
  const server = { pid: 2 } as Look["fleet"]["server"];
  const events: HiveEvent[] = [{ name: "agent.killed", pane: address, cause: "asked" }];
  const after = decide(
    memory,
    { ...lost, events, fleet: { ...lost.fleet, server } },
    { isReconciling: false },
  );
  expect(after.steps).toEqual([]);
});

test("windows below their floor are tried at once, and again a while later", () => {
  const small = (nowMs: number) => look({ isTooSmall: true, nowMs });
  const first = decide(noMemory, small(0), { isReconciling: false });
  const soon = decide(first.memory, small(limits.watchAgainMs - 1), { isReconciling: false });
  const later = decide(soon.memory, small(limits.watchAgainMs), { isReconciling: false });
  expect([first, soon, later].map(({ steps }) => steps.map((step) => step.do))).toEqual([
    ["size"],
    [],
    ["size"],
  ]);
});

test("tmux is written to only if it has the mark, when something changed, and only by a watcher that stays", () => {
  const server = (facts: object) => ({ pid: 1, shows: "", status: "", statusUntil: "", ...facts });
  const steps = (facts: object, showsForMs?: number) => {
    const seen = look({ clockMs: 1_000_000 });
    const fleet = { ...seen.fleet, server: server(facts) as Look["fleet"]["server"] };
    const wishes = showsForMs === undefined ? {} : { showsForMs };
    return decide(noMemory, { ...seen, fleet }, { isReconciling: false, ...wishes }).steps;
  };
  expect(steps({}, 120_000)).toEqual([]);
  expect(steps({ shows: "h" })).toEqual([]);
  const [step, ...others] = steps({ shows: "h" }, 120_000);
  expect([step?.do, others]).toEqual(["show", []]);
  expect(step).toMatchObject({
    changes: expect.arrayContaining([["set-option", "-s", "@hivemind_status", "1 idle"]]),
  });
});

/** What stays the same while a glance is enough. */
const calmIn = (facts: Partial<Look>, memory: Memory = noMemory, activity?: string) => {
  const seen = look(facts, activity);
  return calmOf(seen, decide(memory, seen, { isReconciling: false }));
};

test("with an idle agent and nothing to do, a glance is enough", () => {
  expect(calmIn({})).toMatchObject({ pids: [1], places: expect.stringContaining("web:0.0") });
});

test.each<[string, Partial<Look>, Memory?]>([
  ["the stores are behind", { unwritten: ["a row"] }],
  ["a hook report is to be removed", { usedUp: ["a.json"] }],
  ["a message waits", { queued: [id], handed: [] }, { ...noMemory, stopped: new Map([[id, 0]]) }],
  ["a command changes a team", { changing: new Set(["web"]) }],
  ["a window is too small", { isTooSmall: true }, { ...noMemory, sizedAtMs: 0 }],
  ["a save waits for its time", grown, { ...noMemory, savedAtMs: 0 }],
  ["a screen had to be read", { screens: new Map([["%0", null]]) }],
])("if %s, only a look is enough", (_, facts, memory) => {
  expect(calmIn(facts, memory)).toBeNull();
});

test.each(["busy", "waiting"])("while an agent is %s and says no more, only a look is enough", (activity) => {
  expect(calmIn({}, noMemory, activity)).toBeNull();
});
