import { expect, test } from "vitest";
import type { Host } from "../../names/gates.js";
import { hasArrived, readOutcomes } from "../migrate.js";

const beta = { host: "beta" as Host, lookThere: "hivemind status --fleet" };
const nothing = { started: [], failed: [], left: [], refused: [], asking: [], notReached: 0 };
const outcome = (facts: object = {}) => ({
  team: "web",
  source: "a box",
  isBuilt: true,
  ...nothing,
  ...facts,
});
const agent = { pane: "web:0.0", role: "po" };

test.each<[string, unknown, number, number, boolean]>([
  ["all started", [outcome({ started: [agent, agent] })], 2, 0, true],
  ["one already runs there", [outcome({ started: [agent], left: [{ is: "running" }] })], 2, 0, true],
  [
    "a shell does not count as an agent",
    [outcome({ started: [agent], left: [{ is: "shell" }] })],
    2,
    1,
    false,
  ],
  ["a team of shells", [outcome({ left: [{ is: "shell" }] })], 0, 0, true],
  ["no outcome", [], 2, 2, false],
  ["no outcome of a team of shells", [], 0, 1, false],
  ["an outcome without agents", [outcome()], 2, 2, false],
  ["one failed", [outcome({ started: [agent], failed: [agent] })], 2, 0, false],
  ["one refused", [outcome({ started: [agent], refused: [agent] })], 2, 0, false],
  ["one not reached", [outcome({ started: [agent], notReached: 1 })], 2, 0, false],
])("%s", (_, value, agents, untold, isThere) => {
  const migrated = readOutcomes(beta, value, agents);
  expect(migrated.untold).toBe(untold);
  expect(hasArrived(migrated)).toBe(isThere);
});

test.each([
  undefined,
  null,
  {},
  "all well",
  [null],
  [{}],
  [outcome({ failed: 0 })],
  [outcome({ notReached: -1 })],
  [outcome({ left: ["x"] })],
])("%j is not an answer", (value) =>
  expect(() => readOutcomes(beta, value, 1)).toThrow(/beta did not report the outcome/),
);

test("its control characters cannot reach the terminal", () => {
  const { outcomes } = readOutcomes(beta, [outcome({ source: "\u001b[2J" })], 0);
  expect(outcomes[0]!.source).toBe("␛[2J");
});
