import fc from "fast-check";
import { expect, test } from "vitest";
import { addUsageLines } from "../../agents/claude/transcript/usage-history.js";
import type { UsageHistory } from "../../agents/utterance.js";
import { thinned } from "./context-history.js";

test("thinning keeps both ends, the smallest and the largest, and the order", () => {
  const points = fc.array(fc.nat(1000), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(points, fc.integer({ min: 6, max: 60 }), (used, most) => {
      const all = used.map((each, at) => ({ at, used: each }));
      const kept = thinned(all, most);
      expect(kept.length).toBeLessThanOrEqual(most);
      expect(kept.map(({ at }) => at)).toEqual(kept.map(({ at }) => at).toSorted((a, b) => a - b));
      const values = kept.map((each) => each.used);
      expect([kept[0], kept.at(-1)]).toEqual([all[0], all.at(-1)]);
      expect([Math.min(...values), Math.max(...values)]).toEqual([Math.min(...used), Math.max(...used)]);
      if (all.length <= most) expect(kept).toEqual(all);
    }),
  );
});

test("answers of the main chain and compactions count; sub-agents, errors and repeated records do not", () => {
  const at = (second: number) => ({ timestamp: `2026-01-01T00:00:0${second}.000Z` });
  const answer = (tokens: number, second: number, more: object = {}) => ({
    type: "assistant",
    ...at(second),
    message: { model: "m", usage: { input_tokens: tokens } },
    ...more,
  });
  const records = [
    { type: "user", message: { content: '"_tokens" "compact_boundary"' }, ...at(0) },
    answer(10, 1),
    answer(10, 2),
    answer(99, 3, { isSidechain: true }),
    answer(0, 3),
    answer(20, 4),
    { type: "system", subtype: "compact_boundary", ...at(5) },
    { type: "system", subtype: "other", content: '"compact_boundary"', ...at(6) },
    answer(5, 7),
  ];
  const bytes = Buffer.from(`${records.map((each) => JSON.stringify(each)).join("\n")}\ntorn {\n`);
  const history: UsageHistory = { points: [], compactedAtMs: [] };
  addUsageLines(history, bytes, 0, bytes.length);
  const start = Date.parse("2026-01-01T00:00:00Z");
  expect(history.points.map(({ atMs, used }) => [(atMs - start) / 1000, used])).toEqual([
    [2, 10],
    [4, 20],
    [7, 5],
  ]);
  expect(history.compactedAtMs).toEqual([start + 5000]);
});
