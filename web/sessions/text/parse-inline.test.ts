import { describe, expect, test } from "vitest";
import { type InlinePiece, parseInline, webAddress } from "./parse-inline.js";

const plain = (text: string): InlinePiece => ({ kind: "text", text });
const check = (text: string, expected: InlinePiece[]) => expect(parseInline(text)).toEqual(expected);

describe("a line", () => {
  test("has code and strong words", () =>
    check("run `npm test` **now**", [
      plain("run "),
      { kind: "code", text: "npm test" },
      plain(" "),
      { kind: "strong", text: "now" },
    ]));

  test("has bare addresses, without the full stop after them", () =>
    check("see https://a.example/x?y=1.", [
      plain("see "),
      { kind: "link", text: "https://a.example/x?y=1", href: "https://a.example/x?y=1" },
      plain("."),
    ]));

  test("has named links", () =>
    check("[the docs](http://a.example/)", [{ kind: "link", text: "the docs", href: "http://a.example/" }]));

  test("has no markup inside code", () => check("`**a**`", [{ kind: "code", text: "**a**" }]));

  test("is plain without a closing mark", () => check("a ` b ** c [d](e", [plain("a ` b ** c [d](e")]));
});

describe("an address that could run something is only text", () => {
  const cases = [
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert`1`)",
    "[x](data:text/html,<b>)",
    "[x](file:///etc/passwd)",
    "[x](//a.example)",
    "[x](vbscript:x)",
  ];
  test.each(cases)("%s", (text) => {
    expect(parseInline(text).filter(({ kind }) => kind === "link")).toEqual([]);
    expect(
      parseInline(text)
        .map((piece) => piece.text)
        .join(""),
    ).toContain("[x](");
  });
});

test("only http and https are addresses", () => {
  expect(webAddress("https://a.example")).toBe("https://a.example/");
  expect(webAddress(" javascript:alert(1)")).toBeNull();
  expect(webAddress("#/inbox")).toBeNull();
});
