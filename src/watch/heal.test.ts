import { expect, test } from "vitest";
import { idOf } from "../../test/transcripts/files.js";
import { agent, idAt, launchesOf, type SeatedPane, seated } from "../../test/up/made.js";
import { limits } from "../limits.js";
import { type HealMemory, notWanted, planHeals } from "./heal.js";

const lead = agent("lead", { restart: "on-crash" });
const id = idAt(0);
const crashed = seated(0, lead, null);
const running = seated(0, lead, idOf(1));
const nobody: ReadonlySet<string> = new Set();
const heal = (before: HealMemory, found: SeatedPane, nowMs: number, changing = nobody) =>
  planHeals(before, { fleet: { panes: [found[0]] }, launches: launchesOf([found]) }, changing, nowMs);
const patients = (found: SeatedPane, changing = nobody) => heal(new Map(), found, 0, changing).patients;

test("who crashed and shall come back does, at once", () => {
  expect(patients(crashed)).toEqual([{ id, project: "shop", agent: "lead" }]);
});

test.each([
  ["runs", running],
  ["ended in order", seated(0, lead, null, { deadStatus: 0 })],
  ["shall not come back", seated(0, agent("lead"), null)],
  ["was not started from a file", seated(0, lead, null, { launched: null })],
])("who %s is left alone", (_, found) => expect(patients(found)).toEqual([]));

test("no agent is restarted in a team that a command is changing", () => {
  expect(patients(crashed, new Set(["web"]))).toEqual([]);
});

test("each try waits longer; giving up is reported once", () => {
  let memory: HealMemory = new Map();
  const tries: number[] = [];
  const told: string[] = [];
  for (let nowMs = 0; nowMs < 300_000; nowMs += 500) {
    const turn = heal(memory, crashed, nowMs);
    memory = turn.memory;
    if (turn.patients.length > 0) tries.push(nowMs);
    told.push(...turn.facts.map(({ kind, about }) => `${kind}: ${about}`));
  }
  expect(tries).toEqual([0, 1_000, 3_000, 7_000, 15_000]);
  expect(tries).toHaveLength(limits.heals);
  expect(told).toEqual([
    "crashed: restarted 5 times in 10 minutes; giving up. To try again: hivemind up lead",
  ]);
});

test("one that a person brought back is looked after anew, and old tries are forgotten", () => {
  const over: HealMemory = new Map([[id, { atMs: [1, 2, 3, 4, 5], isGivenUp: true }]]);
  expect(heal(over, crashed, 10).patients).toEqual([]);
  expect(heal(heal(over, running, 10).memory, crashed, 11).patients).toHaveLength(1);
  const old: HealMemory = new Map([[id, { atMs: [1, 2, 3, 4, 5], isGivenUp: false }]]);
  expect(heal(old, crashed, 10 + limits.healWindowMs).patients).toHaveLength(1);
});

test("an agent that shall not come back is not tried again, without a report, until it was seen running", () => {
  const first = heal(new Map(), crashed, 0);
  let memory = notWanted(first.memory, first.patients);
  for (let nowMs = 0; nowMs < 2 * limits.healWindowMs; nowMs += 60_000) {
    const turn = heal(memory, crashed, nowMs);
    expect([turn.patients, turn.facts]).toEqual([[], []]);
    memory = turn.memory;
  }
  expect(heal(heal(memory, running, 0).memory, crashed, 1).patients).toHaveLength(1);
});
