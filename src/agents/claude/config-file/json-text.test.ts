import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonNode, parseJsonText } from "./json-text.js";

function read(node: JsonNode): unknown {
  if (node.kind === "plain") return node.value;
  if (node.kind === "array") return node.children.map(({ value }) => read(value));
  return Object.fromEntries(node.children.map(({ key, value }) => [key, read(value)]));
}

describe("JSON with positions", () => {
  test("has the values of JSON.parse", () =>
    fc.assert(
      fc.property(
        fc.jsonValue({ noUnicodeString: false }),
        fc.constantFrom("", " ", "\t"),
        (value, indent) => {
          const text = JSON.stringify(value, null, indent);
          expect(read(parseJsonText(text))).toEqual(JSON.parse(text));
        },
      ),
    ));

  test.each([
    ['\u{feff}{"a":1}', { a: 1 }],
    ['// one\n{ /* two */ "a" : [1, 2,], // three\n}\n', { a: [1, 2] }],
    [" [ ] ", []],
    ['{"a\\u0062":"\\"//\\\\"}', { ab: '"//\\' }],
    ["{}\r\n", {}],
  ])("%j is accepted", (text, value) => expect(read(parseJsonText(text))).toEqual(value));

  test.each([
    ["", "line 1: it ends too early"],
    ["{", "line 1: it ends too early"],
    ['{\n"a":\n', "line 3: it ends too early"],
    ['{"a":1 "b":2}', "line 1: a comma is missing"],
    ['{"a" 1}', "line 1: a colon is missing"],
    ["{a:1}", "line 1: a key in quotes is missing"],
    ["{,}", "line 1: a key in quotes is missing"],
    ["[,]", "line 1: this is not a JSON value"],
    ["[01]", "line 1: this is not a JSON value"],
    ["[NaN]", "line 1: this is not a JSON value"],
    ['"a\nb" ', "line 2: this is not a JSON value"],
    ["{} {}", "line 1: there is text after the end"],
    ["/* {}", "line 1: this is not a JSON value"],
    ["[".repeat(5000), "line 1: it is nested too deeply"],
  ])("%j is refused", (text, why) => expect(() => parseJsonText(text)).toThrow(why));

  test("what JSON.parse refuses is refused, except comments and trailing commas", () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'[]{}",:1-. \\n\ntrue'.split("")), maxLength: 12 }),
        (text) => {
          const isRead = (parse: () => unknown) => {
            try {
              parse();
              return true;
            } catch {
              return false;
            }
          };
          fc.pre(!/,\s*[\]}]/.test(text));
          expect(isRead(() => parseJsonText(text))).toBe(isRead(() => JSON.parse(text)));
        },
      ),
      { numRuns: 2000 },
    ));
});
