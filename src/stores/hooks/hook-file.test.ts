import { expect, test } from "vitest";
import { machineTime, reportTime } from "./hook-file.js";

const hour = 3_600_000;
const now = { clockMs: 100 * hour, upMs: 10 * hour, boot: () => "b" };
/** For a report written this long ago, while the clock was this much ahead of the current one. */
const written = (agoMs: number, aheadMs: number, note: { boot?: string; up?: string } = {}) => {
  const up = String((now.upMs - agoMs) / 1000);
  return reportTime(now.clockMs - agoMs + aheadMs, { boot: "b", up, ...note }, now);
};
const ago = (ms: number) => now.clockMs - ms;

test.each([
  ["never", 0],
  ["back by an hour", hour],
  ["back by a day", 24 * hour],
  ["forward by an hour", -hour],
])("a clock set %s moves no report", (_, aheadMs) => {
  expect(written(hour / 2, aheadMs)).toBe(ago(hour / 2));
});

test("a file's time is more exact while the clock runs on", () => {
  expect(written(hour, 700)).toBe(ago(hour) + 700);
});

test.each([
  ["no note", { boot: "", up: "" }],
  ["half a note", { up: "" }],
  ["a note of another boot", { boot: "c" }],
  ["a note that is not a number", { up: "1e3" }],
])("with %s the file's time counts, unless it is in the future", (_, note) => {
  expect(written(2 * hour, hour, note)).toBe(ago(hour));
  expect(written(hour, 2 * hour, note)).toBeNull();
  expect(written(0, 1000, note)).toBe(now.clockMs + 1000);
});

test("a note from the future is not of this boot", () => {
  expect(reportTime(ago(hour), { boot: "b", up: "99999999" }, now)).toBeNull();
});

test("the machine's own clocks are read together", () => {
  const here = machineTime();
  const up = String(here.upMs / 1000);
  const jumped = here.clockMs + hour;
  expect(reportTime(jumped, { boot: here.boot(), up }, here)).toBeCloseTo(here.clockMs, -1);
});
