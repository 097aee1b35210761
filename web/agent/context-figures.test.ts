import { expect, test } from "vitest";
import { type ContextHistory, chartData, contextFigures, tokenRange, tokenWords } from "./context-figures.js";

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const history = (used: readonly number[], more: Partial<ContextHistory> = {}): ContextHistory => ({
  ...{ uuid: "u", model: null, window: 200_000, compactions: [] },
  points: used.map((each, index) => ({ at: at(index * 60), used: each })),
  ...more,
});

test("the figures are those of the last answer and the largest one", () => {
  const figures = contextFigures(history([10_000, 150_000, 50_000], { compactions: [{ at: null }] }));
  expect(figures).toEqual({ now: 50_000, peak: 150_000, percent: 25, compactions: 1 });
  expect(contextFigures(history([5], { window: null })).percent).toBeNull();
});

test("a compaction interrupts the line", () => {
  const [seconds, used] = chartData(history([100, 20], { compactions: [{ at: at(30) }, { at: null }] }));
  expect(seconds).toEqual([0, 30, 60]);
  expect(used).toEqual([100, null, 20]);
});

test("the axis reaches to the window if the conversation comes near it", () => {
  expect(tokenRange(history([100_000]))[1]).toBeGreaterThan(200_000);
  expect(tokenRange(history([10_000]))[1]).toBeLessThan(50_000);
  expect(tokenRange(history([10_000], { window: null }))[1]).toBeGreaterThan(10_000);
});

test.each([
  [840, "840"],
  [12_500, "12.5k"],
  [99_960, "100k"],
  [200_000, "200k"],
  [999_600, "1M"],
  [1_250_000, "1.25M"],
])("%i tokens", (tokens, words) => expect(tokenWords(tokens)).toBe(words));
