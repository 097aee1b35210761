import { describe, expect, test } from "vitest";
import { familiesOf } from "./graph.js";
import { graphWith } from "./sample-graph.js";
import { moveOf, treeRows } from "./tree-rows.js";

const families = familiesOf(
  graphWith([
    { id: "a", from: 0, to: 1 },
    { id: "b", from: 1, to: 2, parent: "a" },
    { id: "c", from: 2, to: 3, parent: "b" },
    { id: "d", from: 3, to: 4, parent: "a" },
    { id: "e", from: 5, to: 6 },
  ]),
  1e9,
);
const rows = treeRows(families, new Set());

test("rows have the level and the place that screen readers say", () => {
  expect(rows.map(({ kin, level, place, siblings }) => `${kin.id} ${level} ${place}/${siblings}`)).toEqual([
    "a 1 1/2",
    "b 2 1/2",
    "c 3 1/1",
    "d 2 2/2",
    "e 1 2/2",
  ]);
});

test("the children of a closed session are left out", () => {
  expect(treeRows(families, new Set(["b"])).map(({ kin }) => kin.id)).toEqual(["a", "b", "d", "e"]);
});

describe("a key", () => {
  const cases: [string | null, string, ReturnType<typeof moveOf>][] = [
    ["a", "ArrowDown", { to: "b" }],
    ["a", "ArrowUp", null],
    ["e", "ArrowDown", null],
    [null, "ArrowDown", { to: "a" }],
    [null, "ArrowUp", { to: "a" }],
    ["a", "ArrowRight", { to: "b" }],
    ["a", "ArrowLeft", { close: "a" }],
    ["c", "ArrowLeft", { to: "b" }],
    ["c", "ArrowRight", null],
    ["c", "Home", { to: "a" }],
    ["a", "End", { to: "e" }],
    ["a", "PageDown", { to: "e" }],
    ["a", "x", null],
  ];
  test.each(cases)("at %s, %s", (at, key, expected) => expect(moveOf(rows, at, key)).toEqual(expected));

  test("right opens a closed session", () => {
    expect(moveOf(treeRows(families, new Set(["a"])), "a", "ArrowRight")).toEqual({ open: "a" });
  });
});
