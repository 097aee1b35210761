import { expect, test } from "vitest";
import { invariants } from "../../src/reconcile/invariants.js";
import {
  adviceWords,
  differenceWords,
  doneLines,
  type Finding,
  planLines,
  repairWords,
  wrongWords,
} from "./health-words.js";

const finding = (facts: Partial<Finding>): Finding => ({
  ...{
    severity: "high",
    invariant: "I1",
    store: "S1",
    op: "remove",
    key: "web:0.1",
    expected: null,
    actual: "lead",
  },
  ...facts,
});

test("every invariant has words, and advice where a person must act", () => {
  for (const { id, advice } of invariants) {
    expect(wrongWords({ invariant: id })).not.toContain(id);
    if (advice !== null) expect(adviceWords({ invariant: id, op: "report" })).not.toBeNull();
  }
  expect(wrongWords({ invariant: "I99" })).toContain("I99");
});

test.each([
  [{ expected: "a", actual: "b" }, "is “b”, should be “a”"],
  [{ expected: "a", actual: null }, "should be “a”"],
  [{ expected: null, actual: "b" }, "b"],
])("the difference %j", (facts, words) => expect(differenceWords(facts)).toBe(words));

test.each([
  [{ op: "add", expected: "lead" }, "store web:0.1 as “lead”"],
  [{ op: "update", expected: "lead" }, "correct web:0.1 to “lead”"],
  [{ op: "remove" }, "remove web:0.1"],
  [{ op: "remove", store: "S6" }, "put the messages of web:0.1 aside"],
  [{ op: "report" }, null],
] as const)("the repair of %j", (facts, words) => expect(repairWords(finding(facts))).toBe(words));

test("the plan leaves out what only a person can do, and sessions that may come back", () => {
  const broken = [
    { pane: "web:0.2", uuid: "11111111-0000-4000-8000-000000000000", isDropped: true },
    { pane: "web:0.3", uuid: "22222222-0000-4000-8000-000000000000", isDropped: false },
  ];
  expect(planLines({ violations: [finding({}), finding({ op: "report" })] }, broken)).toEqual([
    "remove web:0.1",
    "drop the session 11111111 of web:0.2: it has no transcript",
  ]);
});

test("the result names what was done and what was left alone", () => {
  const done = {
    ...{ summary: { total: 0, critical: 0, high: 0, medium: 0, low: 0 }, violations: [] },
    ...{ repaired: [finding({})], moved: [{ name: "pane.moved" }], dropped: [] },
    skipped: [{ team: "api", why: "another hivemind changes it" }],
  };
  expect(doneLines(done)).toEqual([
    "followed: pane.moved",
    "remove web:0.1",
    "left api alone: another hivemind changes it",
  ]);
});
