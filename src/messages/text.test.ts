import { expect, test } from "vitest";
import { textRefusal } from "./text.js";

test.each([
  ["", /empty/],
  [" \n\t ", /empty/],
  ["a\u001b[201~b", /control/],
  ["a\rb", /control/],
])("[TX1] %j is refused (incident 35)", (text, why) => {
  expect(textRefusal(text)).toMatch(why);
});

test.each(["words", "two\nlines\twith a tab", "a \\ b", "/rename lead", "日本"])(
  "[TX1] %j is not refused",
  (text) => {
    expect(textRefusal(text)).toBeNull();
  },
);
