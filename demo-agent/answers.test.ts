import { expect, test } from "vitest";
import { answerTo, failureWords, steeringOf } from "./answers.js";
import { commandTool, questionTool } from "./tool.js";

test.each([
  ["hello", "Heard: hello"],
  ["one two three four five six seven eight nine", "Heard: one two three four five six seven eight"],
  ["[busy 20] two\nlines", "Heard: two lines"],
  ["[ask]", "Heard: nothing but brackets"],
  ["pick [choose Which? | Red | Blue] one", "Heard: pick one"],
])("%j is answered %j", (message, answer) => {
  expect(answerTo(message)).toBe(answer);
});

test.each([
  ["hello", {}],
  ["x [busy 250] y", { busyMs: 250 }],
  ["[ask] [usage 1000]", { asks: commandTool("touch demo"), usageTokens: 1000 }],
  ["[ask npm test]", { asks: commandTool("npm test") }],
  ["[choose Which? | Red | Blue]", { asks: questionTool({ text: "Which?", options: ["Red", "Blue"] }) }],
  ["[hold] it", { isHeld: true }],
  ["[crash]", { crashes: true }],
  ["[error]", { failure: "error" }],
  ["[limit]", { failure: "limit" }],
])("%j steers %j", (message, steered) => {
  const plain = { busyMs: 0, isHeld: false, asks: null, crashes: false, failure: null, usageTokens: null };
  expect(steeringOf(message)).toEqual({ ...plain, ...steered });
});

test.each([
  ["error", false, "T13:10", /^API Error: 500 /],
  ["limit", false, "T13:10", /^You've hit your session limit · resets 3pm \(UTC\)$/],
  ["limit", true, "T22:59", /^You've hit your 5-hour limit · resets 12am \(UTC\)$/],
  ["limit", true, "T10:00", /^You've hit your 5-hour limit · resets 12pm \(UTC\)$/],
] as const)("%s of a newer client (%s), at %s", (failure, isNewer, time, expected) => {
  expect(failureWords(failure, isNewer, Date.parse(`2026-03-14${time}:00Z`))).toMatch(expected);
});
