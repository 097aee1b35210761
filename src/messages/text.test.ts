import { expect, test } from "vitest";
import { isCommand, isSlashCommand, textRefusal } from "./text.js";

test.each([
  ["", /empty/],
  [" \n\t ", /empty/],
  ["a\u001b[201~b", /control/],
  ["a\rb", /control/],
  ["see C:\\", /backslash/],
  ["see C:\\ \n", /backslash/],
])("[TX1] %j is refused (incident 35)", (text, why) => {
  expect(textRefusal(text)).toMatch(why);
});

test.each(["words", "two\nlines\twith a tab", "a \\ b", "/rename lead", "日本"])(
  "[TX1] %j is not refused",
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
])("[TX2] whether %j is a slash command: %s", (text, is) => {
  expect(isSlashCommand(text)).toBe(is);
});

test.each([
  ["!ls -l", true],
  ["/clear", true],
  ["run !ls", false],
  ["!ls\nand more", false],
])("[TX3] whether %j is a command: %s", (text, is) => {
  expect(isCommand(text)).toBe(is);
});
