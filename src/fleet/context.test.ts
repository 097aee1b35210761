import { expect, test } from "vitest";
import { type Facts, noFacts } from "../transcripts/transcript.js";
import { contextOf, windowsOf } from "./context.js";

const nowMs = 1_000_000;
const look = (facts: Partial<Facts>, named: string | null = null, env = {}) =>
  contextOf({ facts: { ...noFacts(), ...facts } }, named, windowsOf(env), nowMs);

test.each([
  [
    "[CX1] the sum of the last answer",
    { usedTokens: 96_000, largestTokens: 120_000, usedAtMs: nowMs - 5_000 },
    null,
    { used: 96_000, window: 200_000, percent: 48, source: "default", ageSeconds: 5 },
  ],
  [
    "[CX2] the model's name (incident 25)",
    { usedTokens: 452_000, largestTokens: 452_000 },
    "claude-opus-4-8[1m]",
    { window: 1_000_000, percent: 45.2, source: "model" },
  ],
  [
    "[CX2] what was once used (incident 25)",
    { usedTokens: 10, largestTokens: 226_000 },
    null,
    { window: 1_000_000, percent: 0, source: "largest" },
  ],
  [
    "[CX2] exactly the ordinary window proves nothing",
    { usedTokens: 200_000, largestTokens: 200_000 },
    "opus",
    { window: 200_000, percent: 100, source: "default" },
  ],
])("%s", (_, facts, named, expected) => expect(look(facts, named)).toMatchObject(expected));

test("[CX1] before the first answer there is no figure", () => expect(look({})).toBeNull());

test.each([
  [{ CLAUDE_MAX_TOKENS_DEFAULT: "150000" }, 150_000],
  [{ CLAUDE_MAX_TOKENS_DEFAULT: "many" }, 200_000],
  [{ CLAUDE_MAX_TOKENS_DEFAULT: "-5" }, 200_000],
])("[CX3] %j gives a window of %i", (env, window) =>
  expect(look({ usedTokens: 1 }, null, env)?.window).toBe(window),
);

test("[CX3] the large window can be set too", () => {
  expect(look({ usedTokens: 1 }, "x[1m]", { CLAUDE_MAX_TOKENS_1M: "900000" })?.window).toBe(900_000);
});
