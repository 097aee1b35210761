import { expect, test } from "vitest";
import type { AgentView } from "../../src/fleet/view.js";
import { groupOf, type Row, rowsOf, waitingFirst } from "./board-rows.js";

const agent = (key: string, facts: Partial<AgentView> = {}): Row => ({
  key,
  agent: {
    agent: key,
    standing: "present",
    pane: "shop:0.0",
    role: key,
    kind: "claude",
    activity: "idle",
    ...facts,
  } as AgentView,
});
const rows = [
  agent("builder", { activity: "busy", model: "claude-opus-4-8" }),
  agent("tester", { activity: "waiting", waitingFor: "Bash: npm test" }),
  agent("shell", { agent: null, kind: "shell", activity: "shell" }),
  agent("fallen", { agent: null, kind: "shell", activity: "crashed" }),
  agent("absent", { standing: "away", activity: null }),
];
const shown = (filter: string, group: Parameters<typeof rowsOf>[2]["group"] = null) =>
  rowsOf("shop", rows, { filter, group }).map(({ key }) => key);

test("an agent that waits comes first, the others keep their order, and a shell is no agent", () =>
  expect(shown("")).toEqual(["tester", "builder", "fallen", "absent"]));

test.each([
  ["opus", ["builder"]],
  ["NPM", ["tester"]],
  ["shop busy", ["builder"]],
  ["shop nothing", []],
])("the filter %j leaves %j", (filter, keys) => expect(shown(filter)).toEqual(keys));

test("a group leaves its own agents", () => {
  expect(shown("", "trouble")).toEqual(["fallen"]);
  expect(shown("", "away")).toEqual(["absent"]);
});

test.each([
  ["waiting", "waiting"],
  ["busy", "working"],
  ["context-low", "idle"],
  ["limited", "trouble"],
  ["unknown", "idle"],
] as const)("%s is %s", (activity, group) => expect(groupOf({ activity, standing: "present" })).toBe(group));

test("waiting first keeps the order of both parts", () =>
  expect(waitingFirst([1, 2, 3, 4], (each) => each % 2 === 0)).toEqual([2, 4, 1, 3]));
