import { expect, test } from "vitest";
import { textRefusal } from "./fit.js";

test.each([
  ["", /empty/],
  [" \n\t ", /empty/],
  ["a\u001b[201~b", /control/],
  ["a\rb", /control/],
])("%j is refused (incident 35)", (text, why) => {
  expect(textRefusal(text)).toMatch(why);
});

test.each(["words", "two\nlines\twith a tab", "a \\ b", "/rename lead", "日本"])(
  "%j is not refused",
  (text) => {
    expect(textRefusal(text)).toBeNull();
  },
);
