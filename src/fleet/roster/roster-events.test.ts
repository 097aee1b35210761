import { describe, expect, test } from "vitest";
import { agent, agentId, uuid } from "../../../test/fleet/rosters.js";
import { formatArguments } from "../../events/event.js";
import type { Role, TeamName } from "../../names/gates.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import { eventsBetween, type Reasons } from "./roster-events.js";

const rows = (texts: readonly string[]) => texts.map((text) => agent(text));

/** Sessions by their first digit, agents by their names. */
const told = (before: readonly AgentRow[], after: readonly AgentRow[], reasons: Reasons = {}) =>
  eventsBetween(before, after, reasons).map((event) =>
    `${event.name} ${formatArguments(event)}`
      .replaceAll(/(\d)\1{7}-1111-4111-8111-111111111111/g, "$1")
      .replaceAll(/(po|qa|ux)a{8}/g, "@$1"),
  );

describe("the difference of two rosters", () => {
  test.each<[string, string[], string[], string[], Reasons?]>([
    ["is nothing if nothing changed", ["po web:0.0 %1 1"], ["po web:0.0 %1 1"], []],
    ["a new agent", [], ["po web:0.0 %1 1"], ["agent.spawned web:0.0 po 1 @po"]],
    ["an agent known from a file", [], ["po web:0.0 - 1"], []],
    ["an agent that came back", ["po web:0.0 - 1"], ["po web:0.2 %5 1"], ["agent.spawned web:0.2 po 1 @po"]],
    [
      "an agent that was forked",
      [],
      ["po web:0.0 %1 2"],
      ["agent.forked web:0.0 po 1 2 @po"],
      { parents: new Map([[agentId("po"), uuid(1)]]) },
    ],
    [
      "an agent that came back as a fork",
      ["po web:0.0 - 1"],
      ["po web:0.0 %5 2"],
      ["agent.forked web:0.0 po 1 2 @po"],
      { parents: new Map([[agentId("po"), uuid(1)]]) },
    ],
    [
      "an agent that was found gone",
      ["po web:0.0 %1 1"],
      ["po web:0.0 - 1"],
      ["agent.killed web:0.0 gone @po"],
    ],
    [
      "an agent that a command ended",
      ["po web:0.0 %1 1"],
      ["po web:0.0 - 1"],
      ["agent.killed web:0.0 asked @po"],
      { asked: new Set([agentId("po")]) },
    ],
    [
      "an agent that went from one pane to another",
      ["po web:0.0 %1 1"],
      ["po web:0.3 %4 1"],
      ["agent.killed web:0.0 gone @po", "agent.spawned web:0.3 po 1 @po"],
    ],
    [
      "a swap",
      ["po web:0.0 %1 1", "qa web:0.1 %2 2"],
      ["po web:0.1 %1 1", "qa web:0.0 %2 2"],
      ["panes.swapped web web:0.0 web:0.1"],
    ],
    ["an agent that moved", ["po web:0.0 %1 1"], ["po net:1.0 %1 1"], ["pane.moved web:0.0 net:1.0 @po"]],
    [
      "several agents that shifted",
      ["po web:0.0 %1 1", "qa web:0.1 %2 2", "ux web:0.2 %3 3"],
      ["po web:0.0 - 1", "qa web:0.0 %2 2", "ux web:0.1 %3 3"],
      ["panes.shifted web web:0.1>web:0.0>@qa web:0.2>web:0.1>@ux", "agent.killed web:0.0 gone @po"],
    ],
    [
      "a renamed team, with all its consequences",
      ["po web:0.0 %1 1", "qa web:0.1 - 2"],
      ["po net:0.0 %1 1", "qa net:0.1 - 2"],
      ["team.renamed web net"],
      { renamed: [{ from: "web" as TeamName, to: "net" as TeamName }] },
    ],
    [
      "a renamed team in which panes also moved",
      ["po web:0.0 %1 1"],
      ["po net:0.5 %1 1"],
      ["team.renamed web net", "pane.moved net:0.0 net:0.5 @po"],
      { renamed: [{ from: "web" as TeamName, to: "net" as TeamName }] },
    ],
    [
      "an agent that left",
      ["po web:0.0 %1 1", "qa web:0.1 - 2"],
      [],
      ["agent.forgotten po @po", "agent.forgotten qa @qa"],
    ],
    [
      "another session of a running agent",
      ["po web:0.0 %1 1"],
      ["po web:0.0 %1 2"],
      ["session.changed web:0.0 1 2 clear @po"],
      { causes: new Map([[agentId("po"), "clear"]]) },
    ],
    [
      "a dropped session",
      ["po web:0.0 - 1"],
      ["po web:0.0 -"],
      ["session.dropped web:0.0 1 broken @po"],
      { dropped: new Map([[agentId("po"), "broken"]]) },
    ],
  ])("%s", (_, before, after, expected, reasons) =>
    expect(told(rows(before), rows(after), reasons)).toEqual(expected),
  );

  test("another role is a rename, also if the role is lost", () => {
    const [po] = rows(["po web:0.0 %1 1"]);
    const renamed = (role: string | null) => told([po!], [{ ...po!, role: role as Role | null }]);
    expect(renamed("lead")).toEqual(["agent.renamed web:0.0 po lead @po"]);
    expect(renamed(null)).toEqual(["agent.renamed web:0.0 po - @po"]);
  });

  test("an agent whose pane has no valid address has not moved", () => {
    const [po] = rows(["po web:0.0 %1 1"]);
    expect(told([po!], [{ ...po!, address: null }])).toEqual([]);
  });
});
