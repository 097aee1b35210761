import { expect, test } from "vitest";
import { emptyDraft, entered, typed, withoutLast, withoutLastLine, withPaste } from "./input-box.js";

const draft = (text: string) => typed(emptyDraft, text);

test.each([
  ["a".repeat(800), "a".repeat(800)],
  ["a\nb\nc", "a\nb\nc"],
  ["a".repeat(801), "[Pasted text #1]"],
  ["a\nb\nc\nd", "[Pasted text #1 +3 lines]"],
])("a paste is shown short and submitted whole", (text, shown) => {
  const pasted = withPaste(emptyDraft, text);
  expect(pasted.text).toBe(shown);
  expect(entered(pasted).message).toBe(text);
});

test("several pastes keep their places, and a typed placeholder is only text", () => {
  const twice = withPaste(typed(withPaste(emptyDraft, "a".repeat(900)), " and "), "b".repeat(900));
  expect(entered(twice).message).toBe(`${"a".repeat(900)} and ${"b".repeat(900)}`);
  expect(entered(draft("[Pasted text #7]")).message).toBe("[Pasted text #7]");
});

test.each([
  ["one", ""],
  ["one\ntwo", "one\n"],
  ["one\n", "one"],
  ["", ""],
])("C-u makes %j into %j", (before, after) => {
  expect(withoutLastLine(draft(before)).text).toBe(after);
});

test.each([
  ["hello", "", "hello"],
  ["  hello \n", "", "hello"],
  ["one\\", "one\n", null],
  ["", "", null],
  [" \n", " \n", null],
])("Enter on %j leaves %j and submits %j", (before, after, message) => {
  const done = entered(draft(before));
  expect([done.draft.text, done.message]).toEqual([after, message]);
});

test.each([
  ["ab", "a"],
  ["a🙂", "a"],
  ["", ""],
])("Backspace makes %j into %j", (before, after) => {
  expect(withoutLast(draft(before)).text).toBe(after);
});

test("Backspace removes a whole paste", () => {
  expect(withoutLast(withPaste(draft("see "), "x".repeat(900))).text).toBe("see ");
});
