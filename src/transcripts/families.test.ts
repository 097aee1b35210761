import { expect, test } from "vitest";
import { beginsIn, familiesOf } from "./families.js";

/** `name root boundary…`; a dash for no message. */
function begun(text: string) {
  const [name, root, ...boundaries] = text.split(" ");
  return { name: name!, facts: { rootMessage: root === "-" ? null : root!, boundaries } };
}

test.each<[string, string[], string[]]>([
  ["one first message", ["P r", "Q s", "F r"], ["PF", "Q"]],
  ["a first message that is a boundary of another", ["P r b", "F b b"], ["PF"]],
  ["the same, the copy found first", ["F b b", "P r b"], ["FP"]],
  ["copies from several boundaries", ["F b b", "G c c", "P r b c", "W r b"], ["FGPW"]],
  ["a boundary in common", ["P r b", "F s b"], ["PF"]],
  ["a line of forks of forks", ["H d d", "G c c d", "P r b", "F b b c"], ["HGPF"]],
  ["nothing in common", ["P r b", "F s c"], ["P", "F"]],
  ["no message at all", ["P -", "F -", "Q r"], ["P", "F", "Q"]],
])("[JB1] families by %s", (_, all, expected) => {
  const families = familiesOf(all.map(begun));
  expect(families.map((family) => family.map(({ name }) => name).join(""))).toEqual(expected);
});

test("[JB1] a family can be a line of ten thousand, in any order", () => {
  const line = Array.from({ length: 10_000 }, (_, at) => begun(`F${at} b${at} b${at} b${at + 1}`));
  for (const all of [line, line.toReversed()]) {
    expect(familiesOf(all).map(({ length }) => length)).toEqual([10_000]);
  }
});

test.each<[string, string, string, boolean]>([
  ["at its beginning", "F r", "P r", true],
  ["where it was compacted", "F b b", "P r a b c", true],
  ["not the other way round", "P r b", "F b b", false],
  ["not without a message", "F -", "P -", false],
  ["not of something else", "F s", "P r b", false],
])("[JB1] a copy begins in its original: %s", (_, copy, original, expected) => {
  expect(beginsIn(begun(copy), begun(original))).toBe(expected);
});
