import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { harmless } from "../../base/text/escape-terminal.js";
import {
  columnsOf,
  fitted,
  isWidthSure,
  type Line,
  lineWidth,
  plainLine,
  span,
  textEnd,
  textRows,
  widthOf,
} from "./frame.js";

describe("a text has the width that it is shown with", () => {
  test.each<[string, number]>([
    ["", 0],
    ["abc", 3],
    ["東京", 4],
    ["😀", 2],
    ["👩‍💻", 2],
    ["e\u0301", 1],
    ["…–│", 3],
    ["\x1b[31m\t\n", 7],
  ])("%j: %i", (text, width) => expect(widthOf(text)).toBe(width));
});

describe("a line fits exactly", () => {
  test.each<[Line, number, string]>([
    [[], 3, "   "],
    [[span("abc")], 3, "abc"],
    [[span("abc")], 5, "abc  "],
    [[span("abcd")], 3, "ab…"],
    [[span("ab"), span("cd")], 3, "ab…"],
    [[span("abc"), span("d")], 3, "ab…"],
    [[span("abc"), span("")], 3, "abc"],
    [[span("東京")], 3, "東…"],
    [[span("東京")], 2, "… "],
    [[span("a東京")], 3, "a… "],
    [[span("東京都")], 4, "東… "],
    [[span("e\u0301e\u0301e\u0301")], 2, "e\u0301…"],
    [[span("👩‍💻👩‍💻")], 3, "👩‍💻…"],
    [[span("ab")], 1, "…"],
    [[span("ab")], 0, ""],
  ])("%j in %i columns", (line, columns, text) => expect(plainLine(fitted(line, columns))).toBe(text));

  test("the dots have the style of what they cut, and the blanks have none", () => {
    const line = [span("ab", { isBold: true }), span("東京", { colour: "red" })];
    expect(fitted(line, 4)).toEqual([
      { text: "ab", isBold: true },
      { text: "…", colour: "red" },
      { text: " " },
    ]);
  });

  test("whatever the text is", () => {
    const texts = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }));
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 4 }), fc.nat(30), (parts, columns) => {
        expect(
          lineWidth(
            fitted(
              parts.map((text) => span(text)),
              columns,
            ),
          ),
        ).toBe(columns);
      }),
    );
  });

  test("side by side", () =>
    expect(
      plainLine(
        columnsOf([
          { line: [span("name")], columns: 6 },
          { line: [span("東京都")], columns: 3 },
          { line: [span("x")], columns: 2 },
        ]),
      ),
    ).toBe("name  東…x "));
});

test("terminals agree about letters and lines, not about emoji and marks", () => {
  expect(["abc", "é…│●", "Ж", "東京", "한"].filter((text) => !isWidthSure(text))).toEqual([]);
  expect(["😀", "❤\ufe0f", "e\u0301", "नि", "a\u200bb", "\t"].filter(isWidthSure)).toEqual([]);
});

describe("a long text over several rows", () => {
  test.each<[string, number, string[]]>([
    ["abc", 3, ["abc"]],
    ["abcdefghijklmnopqrst", 10, ["abcdefghij", "↪ klmnopqr", "↪ st"]],
    ["東京東京東京東京", 9, ["東京東京", "↪ 東京東", "↪ 京"]],
    ["abc", 1, ["a", "b", "c"]],
    ["rm -rf the folder", 10, ["rm -rf ", "↪ the ", "↪ folder"]],
    ["a bcdefghijklm", 10, ["a bcdefghi", "↪ jklm"]],
    ["", 5, [""]],
  ])("%j in %i columns is %j", (text, columns, rows) => expect(textRows(text, columns)).toEqual(rows));

  test("is whole, and no row is too wide", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 60 }),
        fc.integer({ min: 9, max: 30 }),
        (text, columns) => {
          const rows = textRows(text, columns);
          for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(columns);
          const whole = rows.map((row, at) => (at === 0 ? row : row.slice(2))).join("");
          expect(harmless(whole)).toBe(harmless(text));
        },
      ),
    );
  });

  test.each([
    ["abcdef", 3, "def"],
    ["東京東京", 5, "東京"],
    ["e\u0301", 1, "e\u0301"],
    ["abc", 9, "abc"],
  ])("the end of %j in %i columns is %j", (text, columns, end) => expect(textEnd(text, columns)).toBe(end));
});
