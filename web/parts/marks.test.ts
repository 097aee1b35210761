import { expect, test } from "vitest";
import { hidesSomething, piecesOf, withoutHidden } from "./marks.js";

const marked = (text: string) =>
  piecesOf(text).map(({ text: piece, mark }) => (mark === null ? piece : `<${piece}>`));

test.each([
  ["npm test", ["npm test"]],
  ["", []],
  ["a\tb", ["a\tb"]],
  ["é ß 中文 العربية", ["é ß 中文 العربية"]],
  ["rm x\u202e #safe", ["rm x", "<U+202E>", " #safe"]],
  ["a\u200bb", ["a", "<U+200B>", "b"]],
  ["\u001b[8mhidden", ["<U+001B>", "[8mhidden"]],
  ["a\rb", ["a", "<U+000D>", "b"]],
  ["\u0007\u0008", ["<U+0007>", "<U+0008>"]],
  ["\u{e0041}x", ["<U+E0041>", "x"]],
  ["\ud800x", ["<U+D800>", "x"]],
  ["\u00ad\ufeff\u2066", ["<U+00AD>", "<U+FEFF>", "<U+2066>"]],
  ["👩‍💻 ✔️ 👍🏽", ["👩‍💻 ✔️ 👍🏽"]],
  ["a\u200db", ["a", "<U+200D>", "b"]],
])("%j is shown as %j", (text, pieces) => expect(marked(text)).toEqual(pieces));

test("a mark has a name for the person who reads it", () => {
  expect(piecesOf("\u202e")).toEqual([{ text: "U+202E", mark: "right-to-left override" }]);
  expect(piecesOf("\u0001")).toEqual([{ text: "U+0001", mark: "control character" }]);
  expect(piecesOf("\u3164")).toEqual([{ text: "U+3164", mark: "invisible character" }]);
});

test("where only text can be shown, such a character is replaced", () =>
  expect(withoutHidden("a\u202eb")).toBe("a\ufffdb"));

test("only text with such a character hides something", () => {
  expect(hidesSomething("make test")).toBe(false);
  expect(hidesSomething("make\u00a0test\u2060")).toBe(true);
});
