import { expect, test } from "vitest";
import { idOf } from "../../test/transcripts/files.js";
import { agent, seated } from "../../test/up/made.js";
import { limits } from "../limits.js";
import { type HealMemory, notWanted, planHeals } from "./heal.js";

const lead = agent("lead", { restart: "on-crash" });
const crashed = seated(0, lead, null)[0];
const running = seated(0, lead, idOf(1))[0];
const nobody: ReadonlySet<string> = new Set();
const heal = (before: HealMemory, pane: typeof crashed, nowMs: number, changing = nobody) =>
  planHeals(before, { panes: [pane] }, changing, nowMs);
const patients = (pane: typeof crashed, changing = nobody) => heal(new Map(), pane, 0, changing).patients;

test("[UH1] who crashed and shall come back does, at once", () => {
  expect(patients(crashed)).toEqual([{ project: "shop", agent: "lead" }]);
});

test.each([
  ["runs", running],
  ["ended in order", seated(0, lead, null, { deadStatus: 0 })[0]],
  ["shall not come back", seated(0, agent("lead"), null)[0]],
  ["was not started from a file", seated(0, lead, null, { launched: null })[0]],
])("[UH1] who %s is left alone", (_, pane) => expect(patients(pane)).toEqual([]));

test("[UH1] nobody is brought back in a team that a command is changing", () => {
  expect(patients(crashed, new Set(["web"]))).toEqual([]);
});

test("[UH1] nobody is brought back who runs in another pane", () => {
  const elsewhere = seated(1, lead, null, { sessionName: "old" })[0];
  const { patients, memory } = planHeals(new Map(), { panes: [elsewhere, running] }, nobody, 0);
  expect([patients, [...memory]]).toEqual([[], []]);
});

test("[UH2] each try comes after a longer rest; after some a person is told, once", () => {
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
  expect(told).toEqual(["crashed: brought back 5 times in 10 minutes, and no more: hivemind up lead"]);
});

test("[UH3] one that a person brought back is looked after anew, and old tries are forgotten", () => {
  const key = "shop:lead";
  const over: HealMemory = new Map([[key, { atMs: [1, 2, 3, 4, 5], isGivenUp: true }]]);
  expect(heal(over, crashed, 10).patients).toEqual([]);
  expect(heal(heal(over, running, 10).memory, crashed, 11).patients).toHaveLength(1);
  const old: HealMemory = new Map([[key, { atMs: [1, 2, 3, 4, 5], isGivenUp: false }]]);
  expect(heal(old, crashed, 10 + limits.healWindowMs).patients).toHaveLength(1);
});

test("[UH5] one that is not to come back after all is not tried again, and nobody is told, until it was seen to run", () => {
  const first = heal(new Map(), crashed, 0);
  let memory = notWanted(first.memory, first.patients);
  for (let nowMs = 0; nowMs < 2 * limits.healWindowMs; nowMs += 60_000) {
    const turn = heal(memory, crashed, nowMs);
    expect([turn.patients, turn.facts]).toEqual([[], []]);
    memory = turn.memory;
  }
  expect(heal(heal(memory, running, 0).memory, crashed, 1).patients).toHaveLength(1);
});
