import { expect, test } from "vitest";
import { answerTo, steeringOf } from "./answers.js";

test.each([
  ["hello", "Heard: hello"],
  ["one two three four five six seven eight nine", "Heard: one two three four five six seven eight"],
  ["[busy 20] two\nlines", "Heard: two lines"],
  ["[ask]", "Heard: nothing but brackets"],
])("[DM1] %j is answered %j", (message, answer) => {
  expect(answerTo(message)).toBe(answer);
});

test.each([
  ["hello", {}],
  ["x [busy 250] y", { busyMs: 250 }],
  ["[ask] [usage 1000]", { asks: true, usageTokens: 1000 }],
  ["[hold] it", { isHeld: true }],
  ["[crash]", { crashes: true }],
  ["[error]", { failure: expect.stringContaining("API Error: 500") }],
  ["[limit]", { failure: expect.stringMatching(/^You've hit your limit · resets /) }],
])("[DM2] %j steers %j", (message, steered) => {
  const plain = { busyMs: 0, isHeld: false, asks: false, crashes: false, failure: null, usageTokens: null };
  expect(steeringOf(message)).toEqual({ ...plain, ...steered });
});
