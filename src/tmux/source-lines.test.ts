import { expect, test } from "vitest";
import { configText, configWord } from "./source-lines.js";

test.each([
  ["set-option", "set-option"],
  ["@hivemind_label", "@hivemind_label"],
  ["%5", "'%5'"],
  ["", "''"],
  ["it's", "'it'\\''s'"],
  ["a;b\\ $HOME ~", "'a;b\\ $HOME ~'"],
])("%j is written as %s", (text, expected) => expect(configWord(text)).toBe(expected));

test("each command is a line; a word with a line break is refused", () => {
  expect(configText([["a", "b c"], ["d"]])).toBe("a 'b c'\nd\n");
  for (const broken of ["a\nb", "a\rb", "a\0b"])
    expect(() => configText([["a", broken]])).toThrow("line break");
});
