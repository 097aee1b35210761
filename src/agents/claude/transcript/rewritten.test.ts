import { expect, test } from "vitest";
import { rewritten } from "./rewritten.js";

test.each<[string, string, Record<string, unknown>, string]>([
  ["a value", '{ "a" : "x" , "b":[1]}', { a: "y" }, '{ "a" : "y" , "b":[1]}'],
  ["a nested value", '{"a":{"b":"}\\""},"c":1}\r', { a: null }, '{"a":null,"c":1}\r'],
  ["the last value", '{"c":1 , "a":12}', { a: [3] }, '{"c":1 , "a":[3]}'],
  ["each of two members with one name", '{"a":1,"a":2}', { a: 3 }, '{"a":3,"a":3}'],
  ["a name spelled with escapes", '{"\\u0061":1}', { a: 2 }, '{"\\u0061":2}'],
  ["no nested name, and no text", '{"x":{"a":1},"y":"\\"a\\":1"}', {}, '{"x":{"a":1},"y":"\\"a\\":1"}'],
  ["a missing member, at the end", '{"x":{"a":1} }', { a: 2, b: "\n" }, '{"x":{"a":1} ,"a":2,"b":"\\n"}'],
  ["a missing member, in an empty object", "{}", { a: 2, b: 3 }, '{"a":2,"b":3}'],
])("%s is written, and nothing else", (_, line, values, expected) => {
  expect(rewritten(Buffer.from(line), values).toString()).toBe(expected);
});

test("invalid text and deep nesting stay", () => {
  const deep = (folder: string) =>
    Buffer.from(
      `{"x":"he\xff\xfello","deep":${"[".repeat(10_000)}${"]".repeat(10_000)},"a":"${folder}"}`,
      "latin1",
    );
  expect(rewritten(deep("old"), { a: "new" }).equals(deep("new"))).toBe(true);
});
