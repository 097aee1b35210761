import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isCommand, isObeyed, mayRun, whyNotEntered } from "./command-text.js";
import { holdsMore, shownAs } from "./compare.js";
import { readLastWords } from "./last-words.js";
import { shapeText } from "./shape.js";

describe("a shaped text", () => {
  const size = { columns: 80, rows: 24 };
  it.each([
    ["plain words", "plain words"],
    ["!ls is no shell line in a paste", "!ls is no shell line in a paste"],
    ["/tmp/x is a path", "> /tmp/x is a path"],
    ["  /clear\nand more", "> /clear\nand more"],
    ["? is forgotten at a resume", "> ? is forgotten at a resume"],
    ["'/tmp/x'", "> '/tmp/x'"],
    ["// a comment", "> // a comment"],
    ["see @src/a.ts", "see @src/a.ts "],
    ["see @src/a.ts now", "see @src/a.ts now"],
    ["ends in \\", "ends in \\ "],
    ["a\r\nb\u2028c\u0007\u200bd\te", "a\nb\ncd    e"],
    ["  keeps its indent", "  keeps its indent"],
  ])("%j", (text, expected) => {
    expect(shapeText(text, size)).toEqual({ text: expected, isCommand: false });
  });

  it("a command stays a command", () => {
    expect(shapeText("/stats model ", size)).toEqual({ text: "/stats model", isCommand: true });
  });

  it.each(["", " \n", "\u200b"])("%j is refused", (text) => {
    expect(shapeText(text, size)).toHaveProperty("refused");
  });
});

it.each([
  ["/about", true, true],
  ["/chat list", true, true],
  ["/about\nthat", false, true],
  ["/tmp/x", false, true],
  ["?", false, true],
  ["!ls", false, false],
  ["go / on", false, false],
])("%j: command %s, obeyed or forgotten %s", (text, command, obeyed) => {
  expect([isCommand(text), isObeyed(text)]).toEqual([command, obeyed]);
});

it.each([
  ["/about", true],
  ["/about\nthat", true],
  [" /clear", true],
  ["/tmp/x is odd", false],
  ["?", false],
])("%j may be run: %j", (text, expected) => expect(mayRun(text)).toBe(expected));

it.each([
  ["/about", true, null],
  ["/ab", false, "its client has no command /ab"],
  ["/chat list", false, null],
])("%j, known %s: %s", (text, isKnownCommand, why) => {
  expect(whyNotEntered({ kind: "draft", text, isKnownCommand }, { text, isCommand: true })).toBe(why);
});

const long = "x".repeat(501);
it.each([
  ["a b\nc", "a bc", "whole"],
  ["[Pasted Text: 6 lines]", "1\n2\n3\n4\n5\n6", "part"],
  ["[Pasted Text: 501 chars]", long, "part"],
  ["[Pasted Text: 7 lines]", "1\n2\n3\n4\n5\n6", null],
  ["[Pasted Text: 3 lines]", "1\n2\n3", null],
  [long.slice(-60), long, "part"],
  ["other", "text", null],
])("the draft %j shows %j: %s", (draft, text, expected) => {
  expect(shownAs(draft, text)).toBe(expected);
});

it("a draft with more than the text is told from the text", () => {
  expect(holdsMore("my own words hello", "hello")).toBe(true);
  expect(holdsMore("hello", "hello")).toBe(false);
});

it("its last words name the session, also with notes of hooks behind them", () => {
  const file = new URL("../../../../test/kinds/gemini/screens/quit.txt", import.meta.url);
  const rows = readFileSync(file, "utf8")
    .replace(/\u001b\[[\d;]*m/g, "")
    .split("\n");
  expect(readLastWords(rows)).toEqual({ session: "9bfa0959-d9c9-4cba-ae8a-3ef8aa9df5f6", title: null });
  expect(readLastWords(["│ To resume this session: gemini --resume x │", "╰───╯"])).toBeNull();
  expect(
    readLastWords(["To resume this session: gemini --resume 9bfa0959-d9c9-4cba-ae8a-3ef8aa9df5f6"]),
  ).toBeNull();
});
