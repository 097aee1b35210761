import { expect, test } from "vitest";
import { isShownAs } from "./deliver.js";

const long = "a message that is so long that its beginning has left the box by now";

test.each([
  ["one two", "one two", true],
  ["one\ntwo", "one two", true],
  ["one\ntw\no", "one two", true],
  ["[Pasted text #1 +12 lines]", "whatever it was", true],
  ["[Pasted text #2]", "whatever it was", true],
  [long.slice(-55), long, true],
  ["one", "one two", false],
  ["two", "one two", false],
  ["hello one two", "one two", false],
  ["one two and", "one two", false],
  [long.slice(0, 45), long, false],
  ["[Pasted text #1] and more", "whatever it was", false],
  ["", "one", false],
])("[DY4] a box with %j shows %j: %s", (draft, text, is) => {
  expect(isShownAs(draft, text)).toBe(is);
});
