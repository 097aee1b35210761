import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseText, type TextBlock } from "./parse-text.js";

const check = (text: string, expected: TextBlock[]) => expect(parseText(text)).toEqual(expected);

describe("a message", () => {
  test("has paragraphs between empty lines", () =>
    check("one\ntwo\n\nthree", [
      { kind: "paragraph", text: "one\ntwo" },
      { kind: "paragraph", text: "three" },
    ]));

  test("has code between fences, whatever is in it", () =>
    check("Look:\n```ts\n# no heading\n\n- no item\n```\nso", [
      { kind: "paragraph", text: "Look:" },
      { kind: "code", language: "ts", lines: ["# no heading", "", "- no item"] },
      { kind: "paragraph", text: "so" },
    ]));

  test("has code until its end if a fence is never closed", () =>
    check("~~~\na", [{ kind: "code", language: "", lines: ["a"] }]));

  test("has a longer fence around a shorter one", () =>
    check("````\n```\n````", [{ kind: "code", language: "", lines: ["```"] }]));

  test("has lists with levels, numbers and lines that belong to an item", () =>
    check("1. one\n   more\n2. two\n   - in two\n\n* star", [
      {
        kind: "list",
        items: [
          { mark: "1.", level: 0, text: "one\nmore" },
          { mark: "2.", level: 0, text: "two" },
          { mark: "•", level: 1, text: "in two" },
          { mark: "•", level: 0, text: "star" },
        ],
      },
    ]));

  test("has headings, quotes, tables and rules", () =>
    check("## Title\n> said\n> so\n\n| a | b |\n|---|---|\n\n---", [
      { kind: "heading", level: 2, text: "Title" },
      { kind: "quote", text: "said\nso" },
      { kind: "table", lines: ["| a | b |", "|---|---|"] },
      { kind: "rule" },
    ]));

  test("may be empty", () => check("", []));
});

test("no word of a message is lost", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "",
      "- item",
      "1. first",
      "> quote",
      "```",
      "# head",
      "| cell |",
      "  indented",
      "---",
      "plain",
    ),
    fc.stringMatching(/^[a-z ]{0,12}$/),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const said = JSON.stringify(parseText(lines.join("\n")));
      for (const word of lines.join(" ").match(/[a-z]+/g) ?? []) expect(said).toContain(word);
    }),
  );
});
