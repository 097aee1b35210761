import { expect, test } from "vitest";
import { byDay, filteredFacts, joined, teamsIn } from "./timeline-rows.js";

const fact = (at: string, event: string, args: Record<string, unknown> = {}) => ({ at, event, args });
const day = (date: number, hour: number) => new Date(2026, 3, date, hour).toISOString();
const facts = [
  fact(day(20, 9), "team.created", { team: "web", description: "" }),
  fact(day(21, 10), "agent.spawned", { pane: "web:0.0", role: "lead", uuid: null, agent: "aaaa" }),
  fact(day(21, 11), "agent.killed", { pane: "api:0.0", cause: "crashed" }),
];

test("days are newest first, and so are their events", () => {
  expect(byDay(facts).map((each) => [each.day, each.facts.map(({ event }) => event)])).toEqual([
    ["2026-04-21", ["agent.killed", "agent.spawned"]],
    ["2026-04-20", ["team.created"]],
  ]);
});

test("what came live is not shown twice", () => {
  const live = [facts[2]!, fact(day(21, 12), "team.destroyed", { team: "api" })];
  expect(joined(facts, live)).toHaveLength(4);
});

test.each([
  [{ group: "agents" as const }, ["agent.spawned", "agent.killed"]],
  [{ team: "web" }, ["team.created", "agent.spawned"]],
  [{ text: "CRASHED" }, ["agent.killed"]],
  [{ text: "aaaa" }, ["agent.spawned"]],
  [{ text: "lead", team: "api" }, []],
])("the filter %j", (filter, expected) => {
  const shown = filteredFacts(facts, { group: null, team: null, text: "", ...filter });
  expect(shown.map(({ event }) => event)).toEqual(expected);
});

test("the teams of the log are known", () => expect(teamsIn(facts)).toEqual(["api", "web"]));
