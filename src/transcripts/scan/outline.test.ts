import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markFinder, numberBehindKey, otherWord, undecided, wordReader } from "./outline.js";

const words = ["custom-title", "user"];
const read = wordReader("type", words);

function wordOf(line: string): number {
  const bytes = Buffer.from(`xx${line}\nyy`);
  return read(bytes, 2, bytes.length - 3);
}

describe("the outermost word of a line", () => {
  test.each([
    ["first", '{"type":"user","message":{}}', 1],
    ["after other members", '{"a":null,"b":-1.5e3,"c":false,"d":"x","type":"custom-title"}', 0],
    ["after a nested value", '{"message":{"type":"message"},"id":7,"type":"user","uuid":"x","n":null}', 1],
    [
      "after a nested value, with a short one at the end",
      '{"m":{"a":[{}]},"type":"user","f":{"id":"]}\\"{"}}',
      1,
    ],
    ["between two long nested values", `{"a":{"x":1},"type":"user","b":["${"y".repeat(300)}"]}`, 1],
    ["with any white space", ' \t{ "a" : [ ] , "type"\t: "user" , "b" : false } \r', 1],
    ["before strings with escapes", '{"m":{},"type":"user","text":"a \\\\\\"}{","end":"\\\\"}', 1],
  ])("is found %s", (_, line, expected) => expect(wordOf(line)).toBe(expected));

  test.each([
    ["in a string", '{"text":"{\\"type\\":\\"user\\"}","type":"other"}'],
    ["in a string at the end", '{"type":"other","text":"\\",\\"type\\":\\"user"}'],
    ["in a nested object", '{"type":"other","input":{"type":"user"}}'],
    ["as the end of another key", '{"x\\"type":"user","type":"other"}'],
    ["as a value", '{"key":"type","user":"user"}'],
    ["in an array", '[{"type":"user"}]'],
    ["of a line cut short", '{"message":{"type":"user"},"type":"us'],
    ["of an empty line", ""],
  ])("is not a lookalike %s", (_, line) => expect([otherWord, undecided]).toContain(wordOf(line)));

  test.each([
    ["spelled with escapes", '{"\\u0074ype":"user"}'],
    ["with a value spelled with escapes", '{"type":"\\u0075ser"}'],
  ])("is left to a parser %s", (_, line) => expect(wordOf(line)).toBe(undecided));

  test("agrees with a parser on any object, or says that it cannot decide", () => {
    const key = fc.constantFrom("type", "message", "uuid", 'a"type', "t\\ype", "型", "");
    const text = fc.oneof(
      fc.constantFrom(...words, '"type":"user"', '{"type":"user"}', "\\", '\\"', "},"),
      fc.string(),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(key, tie("value"), { maxKeys: 4 }),
      ),
    }));
    const object = fc.uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 7 });
    fc.assert(
      fc.property(object, fc.constantFrom(undefined, 1, "\t"), (members, indent) => {
        const json = Object.fromEntries(members);
        const line = JSON.stringify(json, null, indent).replaceAll("\n", " ");
        const found = wordOf(line);
        const expected = words.indexOf(String(typeof json.type === "string" ? json.type : ""));
        expect(found === undecided ? expected : found).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  test("does not come from the line before", () => {
    const again = wordReader("type", words);
    const ask = (line: string) => again(Buffer.from(line), 0, Buffer.byteLength(line));
    expect(ask('{"a":"1","b":"x","c":"y","type":"user"}')).toBe(1);
    expect(ask('{"a":"2","b":"x","c":"y","type":"custom-title"}')).toBe(0);
    expect(ask('{"a":"3","b":"x","c":"y","kind":"user"}')).toBe(otherWord);
    expect(ask('{"a":"4","b":"x","c":"')).toBe(otherWord);
  });
});

test.each([
  [":17,", 17],
  [" : 0}", 0],
  [':"17"', Number.POSITIVE_INFINITY],
  [":1e3}", Number.POSITIVE_INFINITY],
  [":-1}", Number.POSITIVE_INFINITY],
  [", 5", 0],
])("a number after a key is whole, or left to a parser: %s", (text, expected) => {
  expect(numberBehindKey(Buffer.from(text), 0, text.length)).toBe(expected);
});

test("a mark is found where it is, and not after the end", () => {
  const piece = fc.constantFrom("a", "b", "ab", "abab", "c", "_");
  fc.assert(
    fc.property(
      fc.array(piece),
      fc.constantFrom("ab", "abab", "c", "abc_"),
      fc.nat(9),
      fc.nat(9),
      (parts, mark, from, cut) => {
        const text = parts.join("");
        const to = Math.max(0, text.length - cut);
        const expected = text.slice(0, to).indexOf(mark, from);
        expect(markFinder(Buffer.from(mark))(Buffer.from(text), from, to)).toBe(expected);
      },
    ),
    { numRuns: 1000 },
  );
});
