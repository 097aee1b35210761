import { expect, test } from "vitest";
import { isOver, readFailure, readTrouble } from "./trouble-text.js";

const nowMs = Date.parse("2026-11-15T13:30:00Z");

test.each([
  ["API Error: 500 oops", "error"],
  ["Please run /login · API Error: 401", "error"],
  ["Not logged in · Please run /login", "error"],
  ["Invalid API key · Please run /login", "error"],
  ["OAuth token revoked · Please run /login", "error"],
  ["Credit balance is too low", "error"],
  ["Credit balance too low · Add funds: https://example.com", "error"],
  ["Request too large (max 32MB)", "error"],
  ["There's an issue with the selected model (x)", "error"],
  ["Prompt is too long", "context-low"],
  ["Context limit reached · /compact or /clear to continue", "context-low"],
  ["You've hit your session limit · resets 3pm (UTC)", "limited"],
  ["The API Error: 500 is over", undefined],
  ["fine", undefined],
  ["", undefined],
])("%j means %s", (text, activity) => expect(readTrouble(text, nowMs)?.activity).toBe(activity));

test("a limit is over when its time has passed", () => {
  const limit = readTrouble("You've hit your session limit · resets 3pm (UTC)", nowMs)!;
  expect([isOver(limit, nowMs), isOver(limit, nowMs + 2 * 3_600_000)]).toEqual([false, true]);
});

test.each([
  ["a new kind of error", "error", "Something else went wrong", "error"],
  ["no words", "error", "", "error"],
  ["not the same words from the model", "answer", "API Error: 500", undefined],
  ["not the same words before a later prompt", "prompt", "API Error: 500", undefined],
] as const)("a failed turn is trouble: %s", (_, end, words, activity) => {
  expect(readFailure({ end, words, atMs: null }, nowMs)?.activity).toBe(activity);
});
