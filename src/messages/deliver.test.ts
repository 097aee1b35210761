import { expect, test } from "vitest";
import { isShownAs, isSlashCommand, textRefusal } from "./deliver.js";

test.each([
  ["", /empty/],
  [" \n\t ", /empty/],
  ["a\u001b[201~b", /control/],
  ["a\rb", /control/],
  ["see C:\\", /backslash/],
  ["see C:\\ \n", /backslash/],
])("[DY2] %j is refused (incident 35)", (text, why) => {
  expect(textRefusal(text)).toMatch(why);
});

test.each(["words", "two\nlines\twith a tab", "a \\ b", "/rename lead", "日本"])(
  "[DY2] %j is not refused",
  (text) => {
    expect(textRefusal(text)).toBeNull();
  },
);

test.each([
  ["/clear", true],
  ["/rename lead", true],
  ["/mcp__x:y do it", true],
  ["/etc/passwd is odd", false],
  ["/ is the root", false],
  ["/rename a\nb", false],
  ["say /clear", false],
  ["/rename", true],
])("[DY3] whether %j is a slash command: %s", (text, is) => {
  expect(isSlashCommand(text)).toBe(is);
});

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
