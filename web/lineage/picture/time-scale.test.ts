import fc from "fast-check";
import { expect, test } from "vitest";
import { ticksOf, timeScale } from "./time-scale.js";

const hour = 3_600_000;

test("the oldest moment is at 0, the newest at the width, and order is kept", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2_000_000_000), { minLength: 2 }), (times) => {
      const scale = timeScale(times, 800);
      const sorted = [...new Set(times)].sort((a, b) => a - b);
      const places = sorted.map((ms) => scale.placeOf(ms));
      expect(places[0]).toBe(0);
      expect(places.every((place, at) => at === 0 || place > places[at - 1]!)).toBe(true);
      if (sorted.length > 1) expect(places.at(-1)).toBeCloseTo(800);
    }),
  );
});

test("a place and its moment belong together", () => {
  const scale = timeScale([0, hour, 50 * hour, 51 * hour], 1000);
  for (const ms of [0, hour / 2, 10 * hour, 50.5 * hour])
    expect(scale.timeAt(scale.placeOf(ms))).toBeCloseTo(ms, 0);
});

test("a long pause takes less room than its share of the time", () => {
  const scale = timeScale([0, hour, 100 * hour], 1000);
  expect(scale.placeOf(hour)).toBeGreaterThan(100);
});

test("a moment outside is at the nearest end", () => {
  const scale = timeScale([hour, 2 * hour], 100);
  expect([scale.placeOf(0), scale.placeOf(Number.POSITIVE_INFINITY)]).toEqual([0, 100]);
});

test("ticks keep their distance, and days win over hours", () => {
  const start = new Date(2026, 3, 20, 9).getTime();
  const scale = timeScale([start, start + 20 * hour, start + 40 * hour], 900);
  const ticks = ticksOf(scale, 0, 900, 80);
  expect(ticks.filter(({ isMajor }) => isMajor).map(({ label }) => label)).toEqual(["21 Apr", "22 Apr"]);
  expect(ticks.every(({ place }, at) => at === 0 || place - ticks[at - 1]!.place >= 80)).toBe(true);
});

test("years have months for ticks, and are not counted by the minute", () => {
  const start = new Date(2023, 0, 15).getTime();
  const scale = timeScale([start, start + 3 * 365 * 24 * hour], 900);
  expect(ticksOf(scale, 0, 900, 80).length).toBeLessThan(12);
});
