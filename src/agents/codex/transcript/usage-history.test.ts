import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { UsageHistory } from "../../utterance.js";
import { addUsageLines } from "./usage-history.js";

const talk = readFileSync(new URL("../../../../test/kinds/codex/rollouts/talk.jsonl", import.meta.url));

test("the context after each answer, and when it was compacted", () => {
  const history: UsageHistory = { points: [], compactedAtMs: [] };
  addUsageLines(history, talk, 0, talk.length);
  expect(history.points.at(-1)).toEqual({ used: 124_233, atMs: Date.parse("2026-11-18T07:00:24.248Z") });
  expect(Math.max(...history.points.map(({ used }) => used))).toBe(258_115);
  const compactions = talk
    .toString()
    .split("\n")
    .filter((line) => line.includes('"type":"compacted"'));
  expect(history.compactedAtMs).toHaveLength(compactions.length);
});
