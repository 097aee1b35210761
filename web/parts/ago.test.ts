import { expect, test } from "vitest";
import { counted, longAge, shortAge } from "./ago.js";

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

test.each([
  [-5 * second, "0 s", "just now"],
  [4.9 * second, "4 s", "just now"],
  [59 * second, "59 s", "59 seconds ago"],
  [minute, "1 min", "1 minute ago"],
  [59.9 * minute, "59 min", "59 minutes ago"],
  [hour, "1 h", "1 hour ago"],
  [23.9 * hour, "23 h", "23 hours ago"],
  [day, "1 d", "1 day ago"],
  [40 * day, "40 d", "40 days ago"],
])("%d ms are %j, or %j", (ms, short, long) => {
  expect(shortAge(ms)).toBe(short);
  expect(longAge(ms)).toBe(long);
});

test("one has no plural", () => {
  expect([counted(0, "row"), counted(1, "row"), counted(1200, "row")]).toEqual([
    "0 rows",
    "1 row",
    "1,200 rows",
  ]);
});
