import { expect, test } from "vitest";
import { hasMoved } from "./moved.js";

test.each([
  ["", "abc", false],
  ["abc", "abc", false],
  ["ab", "abc", false],
  ["abc", "ab", false],
  ["abc", "bc", true],
  ["bc", "abc", true],
  ["ab", "ba", true],
  ["ab", "cd", true],
  ["ab", "", false],
])("from %j to %j something has moved: %s", (before, now, moved) =>
  expect(hasMoved([...before], [...now])).toBe(moved),
);
