import { describe, expect, test } from "vitest";
import { isCommand, isObeyed, whyNotEntered } from "./command-text.js";
import { holdsMore, shownAs } from "./compare.js";
import { readLastWords } from "./last-words.js";
import { shapeText } from "./shape.js";
import { readTrouble } from "./trouble-text.js";

describe("shapeText", () => {
  test.each<[string, string, object]>([
    ["prose", "fix the build \n", { text: "fix the build", isCommand: false }],
    ["a command", "/rename po", { text: "/rename po", isCommand: true }],
    ["a command with a second line", "/status\nmore", { text: "> /status\nmore", isCommand: false }],
    ["a shell line", "!ls -l", { text: "!ls -l", isCommand: true }],
    ["a lone mark", "!", { text: "> !", isCommand: false }],
    ["a path is obeyed too", "/srv/x is full", { text: "> /srv/x is full", isCommand: false }],
    ["a file at the end", "look at @src", { text: "look at @src ", isCommand: false }],
    ["a skill at the end", "use $imagegen", { text: "use $imagegen ", isCommand: false }],
    ["nothing", " \u200b", { refused: "it has no visible character" }],
  ])("%s", (_, text, expected) => expect(shapeText(text)).toEqual(expected));
});

test.each([
  ["/new", true, true],
  ["/new\nx", false, true],
  [" /new", false, true],
  ["a /new", false, false],
  ["!x", true, true],
])("%j: a command %s, obeyed %s", (text, command, obeyed) => {
  expect([isCommand(text), isObeyed(text)]).toEqual([command, obeyed]);
});

test("a command that the menu does not list is not entered", () => {
  const command = { text: "/nothing", isCommand: true };
  const draft = { kind: "draft", text: "/nothing" } as const;
  expect(whyNotEntered({ ...draft, isKnownCommand: false }, command)).toBe(
    "its client has no command /nothing",
  );
  expect(whyNotEntered({ ...draft, isKnownCommand: true }, command)).toBeNull();
  expect(whyNotEntered({ ...draft, isKnownCommand: false }, { ...command, isCommand: false })).toBeNull();
});

const long = "word ".repeat(300).trim();
test.each<[string, string, string, "whole" | "part" | null]>([
  ["as typed", "a b", "a  b", "whole"],
  ["other words", "a c", "a b", null],
  ["hidden", `[Pasted Content ${long.length} chars]`, long, "part"],
  ["another hidden paste", "[Pasted Content 7 chars]", long, null],
  ["its end", long.slice(-100), long, "part"],
  ["nothing", "", "a", null],
])("%s", (_, draft, text, expected) => {
  expect(shownAs(draft, text)).toBe(expected);
  expect(holdsMore(`${text} and more`, text)).toBe(true);
});

const id = "01a1ed72-4a1c-7182-be45-6ebd8030e476";
const resume = ["Token usage: total=30", "To continue this session, run:", `  codex resume ${id}`];
test.each<[string, string[], object | null]>([
  ["by id", [...resume, "", "Pane is dead (status 0)"], { session: id, title: null }],
  ["by name too", [...resume, "Or run codex resume and select my-role."], { session: id, title: "my-role" }],
  ["something after it", [...resume, "$ ls"], null],
  ["far above", [...resume, "a", "b"], null],
  ["nothing", [""], null],
])("last words %s", (_, rows, expected) => expect(readLastWords(rows)).toEqual(expected));

const nowMs = new Date(2026, 10, 18, 23, 0).getTime();
test.each<[string, string, string, number | null]>([
  [
    "today",
    "You’ve hit your usage limit. Try again later or try again at 11:52 PM.",
    "limited",
    new Date(2026, 10, 18, 23, 52).getTime(),
  ],
  [
    "after midnight",
    "You’ve hit your usage limit. or try again at 1:05 AM.",
    "limited",
    new Date(2026, 10, 19, 1, 5).getTime(),
  ],
  [
    "another day",
    "usage limit, try again at Nov 21st, 2026 7:16 AM.",
    "limited",
    new Date(2026, 10, 21, 7, 16).getTime(),
  ],
  ["no time", "Quota exceeded. Check your plan and billing details.", "limited", null],
  ["another error", "exceeded retry limit, last status: 429 Too Many Requests", "error", null],
])("%s: %s", (_, words, activity, untilMs) => {
  expect(readTrouble(words, nowMs)).toMatchObject({ activity, untilMs });
});
