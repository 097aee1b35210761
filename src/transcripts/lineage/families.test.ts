import { expect, test } from "vitest";
import { beginsIn, familiesOf, topOf } from "./families.js";

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
])("families by %s", (_, all, expected) => {
  const families = familiesOf(all.map(begun));
  expect(families.map((family) => family.map(({ name }) => name).join(""))).toEqual(expected);
});

test("a family can be a line of ten thousand, in any order", () => {
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
  ["not in another session", "F s", "P r b", false],
])("a copy begins in its original: %s", (_, copy, original, expected) => {
  expect(beginsIn(begun(copy), begun(original))).toBe(expected);
});

class CountingMap extends Map<number, number> {
  asked = 0;
  override get(key: number): number | undefined {
    this.asked += 1;
    return super.get(key);
  }
}

const count = 20_000;
const line = Array.from({ length: count - 1 }, (_, at) => at + 1);

test.each([
  ["from the end", line.toReversed()],
  ["from the top", line],
  ["always from the lowest", line.map(() => count - 1)],
])("finding the tops of a long line %s is cheap", (_, order) => {
  const above = new CountingMap(line.map((at) => [at, at - 1]));
  for (const one of order) expect(topOf(above, one)).toBe(0);
  expect(above.asked).toBeLessThan(count * 2 * Math.log2(count));
});
