import { expect, test } from "vitest";
import { rewritten } from "./rewritten.js";

test.each<[string, string, Record<string, unknown>, string]>([
  ["a value", '{ "a" : "x" , "b":[1]}', { a: "y" }, '{ "a" : "y" , "b":[1]}'],
  ["a nested value", '{"a":{"b":"}\\""},"c":1}\r', { a: null }, '{"a":null,"c":1}\r'],
  ["the last value", '{"c":1 , "a":12}', { a: [3] }, '{"c":1 , "a":[3]}'],
  ["each of one name", '{"a":1,"a":2}', { a: 3 }, '{"a":3,"a":3}'],
  ["one whose name is spelled with escapes", '{"\\u0061":1}', { a: 2 }, '{"\\u0061":2}'],
  [
    "none of a name that is deeper, or text",
    '{"x":{"a":1},"y":"\\"a\\":1"}',
    {},
    '{"x":{"a":1},"y":"\\"a\\":1"}',
  ],
  ["what was not there, at the end", '{"x":{"a":1} }', { a: 2, b: "\n" }, '{"x":{"a":1} ,"a":2,"b":"\\n"}'],
  ["what was not there, in nothing", "{}", { a: 2, b: 3 }, '{"a":2,"b":3}'],
])("[RWL1] %s is written, and nothing else", (_, line, values, expected) => {
  expect(rewritten(Buffer.from(line), values).toString()).toBe(expected);
});

test("[RWL1] bytes that are no text, and nesting without end, stay", () => {
  const deep = (folder: string) =>
    Buffer.from(
      `{"x":"he\xff\xfello","deep":${"[".repeat(10_000)}${"]".repeat(10_000)},"a":"${folder}"}`,
      "latin1",
    );
  expect(rewritten(deep("old"), { a: "new" }).equals(deep("new"))).toBe(true);
});
