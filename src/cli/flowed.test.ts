import { expect, test } from "vitest";
import { flowed } from "./flowed.js";

test.each([
  ["as written", "One line.\nanother", 9, "One line.\nanother"],
  ["broken anew", "One two three\nfour five.", 10, "One two\nthree four\nfive."],
  ["a sentence that ended", "One two.\nThree four five.", 11, "One two.\nThree four\nfive."],
  ["an empty line", "One two\n\nthree four", 9, "One two\n\nthree\nfour"],
  ["an empty line at the start", "\nOne two three", 9, "\nOne two\nthree"],
])("[WF1] %s: %j in %d columns", (_, text, columns, expected) =>
  expect(flowed(text, columns)).toBe(expected),
);

test("[WF2] a path that is wider than the terminal stays whole", () => {
  expect(flowed("It lies in /a/folder/far/away now.", 12)).toBe("It lies in\n/a/folder/far/away\nnow.");
});
