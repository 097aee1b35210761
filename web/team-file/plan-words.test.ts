import { expect, test } from "vitest";
import { lineOfAgent, planSummary } from "./plan-words.js";

const steps = (...deeds: Parameters<typeof planSummary>[0][number]["do"][]) =>
  deeds.map((deed) => ({ do: deed }));

test.each([
  [steps("add", "heal", "change", "keep"), "2 to start, 1 to restart, 1 unchanged"],
  [steps("keep", "keep"), "Everything runs as the file says"],
  [steps("refuse", "remove"), "1 to end, 1 that cannot start"],
  [[], "The file names no agents"],
])("%j", (plan, words) => expect(planSummary(plan)).toBe(words));

test.each([
  [["agents:", "  lead:", "    model: opus"], "lead", 1],
  [["agents:", "  - id: lead", "  - id: lead-2"], "lead-2", 2],
  [["agents:", "  - lead"], "lead", 1],
  [["agents:", "  leader:"], "lead", null],
  [["agents:", "  a.b: {}"], "a.b", 1],
])("in %j, %s", (lines, agent, at) => expect(lineOfAgent(lines, agent)).toBe(at));
