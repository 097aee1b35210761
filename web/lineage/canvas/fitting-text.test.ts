import { expect, test } from "vitest";
import { fittingText } from "./fitting-text.js";

/** Ten pixels per character. */
const context = {
  font: "x",
  measureText: (text: string) => ({ width: [...text].length * 10 }) as TextMetrics,
};

test.each([
  ["short", 100, "short", 50],
  ["a long name", 60, "a lon…", 60],
  ["a long name", 30, "a…", 20],
  ["🐝🐝🐝🐝🐝", 40, "🐝🐝🐝…", 40],
  ["anything", 5, "", 0],
])("%s in %i pixels", (text, room, expected, width) =>
  expect(fittingText(context, text, room)).toEqual({ text: expected, width }),
);
