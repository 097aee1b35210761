import { expect, test } from "vitest";
import { wrapText } from "./wrap-text.js";

test.each([
  ["as written", "One line.\nanother", 9, "One line.\nanother"],
  ["rewrapped", "One two three\nfour five.", 10, "One two\nthree four\nfive."],
  [
    "a line that ends a sentence is not joined",
    "One two.\nThree four five.",
    11,
    "One two.\nThree four\nfive.",
  ],
  ["an empty line", "One two\n\nthree four", 9, "One two\n\nthree\nfour"],
  ["an empty line at the start", "\nOne two three", 9, "\nOne two\nthree"],
])("%s: %j in %d columns", (_, text, columns, expected) => expect(wrapText(text, columns)).toBe(expected));

test("a path wider than the terminal is not broken", () => {
  expect(wrapText("It lies in /a/folder/far/away now.", 12)).toBe("It lies in\n/a/folder/far/away\nnow.");
});
