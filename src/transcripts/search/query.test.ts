import fc from "fast-check";
import { expect, test } from "vitest";
import { openQuery, type Query } from "./query.js";

const fits = (query: string, text: string) => [...text.matchAll(openQuery(query).pattern)].length > 0;
const isMarked = ({ marks }: Query, json: string) => {
  const bytes = Buffer.from(json);
  return marks.some((mark) => mark(bytes, 0, bytes.length) >= 0);
};

test.each([
  ["word", "a Word", true],
  ["Word", "a word", false],
  ["Word", "a Word", true],
  ["é", "É", true],
  ["É", "é", false],
  ["σ", "ς", true],
  ["k", "\u212a", false],
  ["a.c", "abc", false],
  ["(a|b)[c]*$", "x(a|b)[c]*$", true],
  ["a\nb", "a\nb", true],
  ["\\n", "a\nb", false],
  ["\\n", "a\\nb", true],
])("%j in %j: %s", (query, text, expected) => expect(fits(query, text)).toBe(expected));

/** The ways in which programs write the same string. */
const spellings: ((text: string) => string)[] = [
  (text) => JSON.stringify(text),
  (text) => JSON.stringify(text).replace(/[^\x20-\x7e]/g, (unit) => escaped(unit)),
  (text) =>
    JSON.stringify(text).replace(/[^\x20-\x7e]/g, (unit) =>
      escaped(unit).toUpperCase().replace("\\U", "\\u"),
    ),
  (text) => JSON.stringify(text).replaceAll("/", "\\/"),
  (text) => JSON.stringify(text).replace(/[<>&']/g, (unit) => escaped(unit)),
  (text) => JSON.stringify(text).replace(/\\(.)/g, (both, char) => longEscapes[char] ?? both),
];

const longEscapes: Readonly<Record<string, string>> = { '"': "\\u0022", n: "\\u000A" };

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const hostile = fc.string({
  unit: fc.constantFrom(..."aAbBuUnN09 -_/<>&'\"\\\n\t\u0001éÉσςΣµμßİıſ日語🐝\u2028K"),
  maxLength: 12,
});

test("matching text has a mark, however it is spelled", () => {
  const property = fc.property(hostile, hostile, hostile, fc.boolean(), (before, query, after, isLower) => {
    const wanted = isLower ? query.toLowerCase() : query;
    const text = before + query + after;
    fc.pre(wanted !== "" && fits(wanted, text));
    const opened = openQuery(wanted);
    for (const spell of spellings) expect(isMarked(opened, spell(text))).toBe(true);
  });
  fc.assert(property, { numRuns: 200 });
});

test("a mark is found wherever it is, and only there", () => {
  const plain = fc.string({ unit: fc.constantFrom(..."abAB"), maxLength: 40 });
  const needle = fc.string({ unit: fc.constantFrom(..."abAB"), minLength: 1, maxLength: 4 });
  const property = fc.property(plain, needle, fc.nat(40), (text, query, from) => {
    const { marks, isCaseSensitive } = openQuery(query);
    const fold = (each: string) => (isCaseSensitive ? each : each.toLowerCase());
    const expected = fold(text).indexOf(fold(query), from);
    expect(marks[0]!(Buffer.from(`${text}${query}`), from, text.length)).toBe(
      from > text.length ? -1 : expected,
    );
  });
  fc.assert(property, { numRuns: 500 });
});
