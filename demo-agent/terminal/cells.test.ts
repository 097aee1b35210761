import { expect, test } from "vitest";
import { cellsOf, clip, wrap } from "./cells.js";

test.each([
  ["abc", 3],
  ["ü", 1],
  ["u\u0308", 1],
  ["漢字", 4],
  ["🙂", 2],
  ["❯\u00a0─", 3],
])("%s takes %i cells", (text, cells) => {
  expect(cellsOf(text)).toBe(cells);
});

test.each([
  ["abcdef", 4, ["abcd", "ef"]],
  ["a\n\nb", 4, ["a", "", "b"]],
  ["漢字", 3, ["漢", "字"]],
  ["", 4, [""]],
])("%j wraps at %i cells", (text, cells, lines) => {
  expect(wrap(text, cells)).toEqual(lines);
});

test.each([
  ["esc to interrupt", 11, "esc to int…"],
  ["short", 11, "short"],
  ["漢字", 3, "漢…"],
  ["abc", 0, ""],
])("%j is cut to %i cells", (text, cells, cut) => {
  expect(clip(text, cells)).toBe(cut);
});
