import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Line, span } from "./frame.js";
import { lineText } from "./sgr.js";

describe("a line as text", () => {
  test.each<[string, Line, string, string]>([
    ["plain", [span("a"), span("b")], "ab", "ab"],
    ["a colour", [span("a", { colour: "red" }), span("b")], "\x1b[31ma\x1b[mb", "ab"],
    ["grey", [span("a", { colour: "grey" })], "\x1b[90ma\x1b[m", "a"],
    ["dim", [span("a", { isDim: true })], "\x1b[2ma\x1b[m", "a"],
    [
      "one style for two",
      [span("a", { isBold: true }), span("b", { isBold: true })],
      ...both("\x1b[1mab\x1b[m"),
    ],
    [
      "another style",
      [span("a", { isBold: true }), span("b", { isInverse: true, isUnderlined: true })],
      ...both("\x1b[1ma\x1b[0;4;7mb\x1b[m"),
    ],
    ["an empty span", [span("", { isBold: true }), span("a")], ...both("a")],
    ["a wide text before another", [span("東京"), span("b")], ...both("東京b")],
    ["an emoji before another", [span("❤\ufe0f"), span("b")], ...both("❤\ufe0f\x1b[3Gb")],
    ["an emoji at the end", [span("a"), span("😀")], ...both("a😀")],
  ])("%s", (_, line, coloured, uncoloured) => {
    expect(lineText(line, { isColoured: true })).toBe(coloured);
    expect(lineText(line, { isColoured: false })).toBe(uncoloured);
  });

  test("no control character of a span gets through", () => {
    expect(lineText([span("\x1b]0;x\x07\r\n\u009b\u202e")], { isColoured: true })).toBe("␛]0;x␇␍␊��");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(lineText([span(text)], { isColoured: true })).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
      }),
    );
  });
});

function both(text: string): [string, string] {
  return [text, text];
}
