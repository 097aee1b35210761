import { expect, test } from "vitest";
import { limits } from "../limits.js";
import { restAfter } from "./loop.js";

const tickMs = 10_000;

test.each([0, 1, 20, 100, 500, 700])("after a look of %i ms the rest is many times as long", (lookMs) => {
  const { restMs, untilTickMs } = restAfter(lookMs, tickMs);
  expect(lookMs / restMs).toBeLessThanOrEqual(1 / 20);
  expect(lookMs / untilTickMs).toBeLessThanOrEqual(1 / 80);
});

test.each([
  [-5_000, { restMs: limits.watchGapMs, untilTickMs: tickMs }],
  [0, { restMs: limits.watchGapMs, untilTickMs: tickMs }],
  [600_000, { restMs: limits.watchRestCapMs, untilTickMs: limits.watchRestCapMs }],
])("after a look of %i ms it is neither shorter nor longer than it may be", (lookMs, expected) =>
  expect(restAfter(lookMs, tickMs)).toEqual(expected),
);
