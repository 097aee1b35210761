import { expect, test } from "vitest";
import { answersOf, choose, type Given, nothing } from "./answers.js";

const colour = { text: "Which colour?", options: ["red", "blue"], takesSeveral: false };
const sizes = { text: "Which sizes?", options: ["S", "M", "L"], takesSeveral: true };
const own = (words: string): Given => ({ chosen: [1], own: words, isOwn: true });

test.each<[Given[], string[] | null]>([
  [[nothing, nothing], null],
  [[choose(nothing, 1, false), nothing], null],
  [
    [choose(nothing, 1, false), choose(nothing, 0, true)],
    ["2", "1"],
  ],
  [
    [own(" a darker one "), choose(choose(nothing, 2, true), 0, true)],
    ["a darker one", "1,3"],
  ],
  [[own("  "), choose(nothing, 0, true)], null],
  [
    [choose(own("words"), 0, false), own("none")],
    ["1", "none"],
  ],
])("%j answers %j", (given, answers) => expect(answersOf([colour, sizes], given)).toEqual(answers));

test("a second choice replaces the first, or ends a choice among several", () => {
  expect(choose(choose(nothing, 0, false), 1, false).chosen).toEqual([1]);
  expect(choose(choose(nothing, 0, true), 0, true).chosen).toEqual([]);
});
