import { expect, test } from "vitest";
import { paceMs } from "./pace.js";

const pace = { burst: 3, everyMs: 1_000 };

test.each<[string, number[], number, number]>([
  ["the first", [], 0, 0],
  ["the last of a burst", [0, 0], 0, 0],
  ["one after a burst", [0, 0, 0], 0, 1_000],
  ["one a little later", [0, 0, 0], 400, 600],
  ["one when there is room again", [0, 0, 0], 1_000, 0],
  ["no more than a burst after a long rest", [0, 0, 0, 60_000, 60_000, 60_000], 60_000, 1_000],
  ["receipts in any order", [60_000, 0, 60_000, 60_000], 60_000, 1_000],
  ["a clock that was set back", [5_000, 5_000, 5_000], 0, 1_000],
])("%s waits as long as the inbox has no room", (_, posted, now, expected) => {
  expect(paceMs(posted, now, pace)).toBe(expected);
});
