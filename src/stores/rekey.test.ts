import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PaneAddress, TeamName } from "../names/gates.js";
import { type Moves, rekeyRows, teamMoves } from "./rekey.js";

const rows = (...panes: PaneAddress[]) => panes.map((pane) => ({ pane, was: pane }));
const moves = (...pairs: [PaneAddress, PaneAddress][]): Moves => new Map(pairs);
const told = (moved: readonly { pane: PaneAddress; was: PaneAddress }[]) =>
  moved.map(({ was, pane }) => `${was}>${pane}`);

describe("rows of panes that moved", () => {
  test.each<[string, [PaneAddress, PaneAddress][], string[]]>([
    [
      "a swap",
      [
        ["a:0.0", "a:0.1"],
        ["a:0.1", "a:0.0"],
      ],
      ["a:0.0>a:0.1", "a:0.1>a:0.0", "a:0.2>a:0.2"],
    ],
    [
      "a ring",
      [
        ["a:0.0", "a:0.1"],
        ["a:0.1", "a:0.2"],
        ["a:0.2", "a:0.0"],
      ],
      ["a:0.0>a:0.1", "a:0.1>a:0.2", "a:0.2>a:0.0"],
    ],
    [
      "a shift",
      [
        ["a:0.1", "a:0.0"],
        ["a:0.2", "a:0.1"],
      ],
      ["a:0.1>a:0.0", "a:0.2>a:0.1"],
    ],
  ])("[RK1] follow %s, all at once", (_, pairs, expected) =>
    expect(told(rekeyRows(rows("a:0.0", "a:0.1", "a:0.2"), moves(...pairs)))).toEqual(expected),
  );

  test("[RK2] replace the row of a pane that is not there any more", () => {
    expect(told(rekeyRows(rows("a:0.0", "b:0.0"), moves(["a:0.0", "b:0.0"])))).toEqual(["a:0.0>b:0.0"]);
  });

  test("[RK3] leave the others, and the array itself where nothing is concerned", () => {
    const all = rows("a:0.0", "b:0.0");
    expect(rekeyRows(all, moves(["c:0.0", "c:0.1"]))).toBe(all);
    expect(rekeyRows(all, moves(["a:0.0", "a:0.0"]))[1]).toBe(all[1]);
  });

  test("[RK1] are as many as before, whatever the permutation", () => {
    const panes = Array.from({ length: 8 }, (_, at): PaneAddress => `a:0.${at}`);
    fc.assert(
      fc.property(fc.shuffledSubarray(panes, { minLength: 8 }), (targets) => {
        const permutation = moves(
          ...panes.map((pane, at): [PaneAddress, PaneAddress] => [pane, targets[at]!]),
        );
        const moved = rekeyRows(rows(...panes), permutation);
        expect(moved.map(({ pane }) => pane)).toEqual(targets);
      }),
    );
  });

  test("of a renamed team are those of exactly that team (incident 11)", () => {
    const all: PaneAddress[] = ["team:0.1", "team2:0.1", "te:0.1", "team:3.0"];
    expect([...teamMoves(all, "team" as TeamName, "x" as TeamName)]).toEqual([
      ["team:0.1", "x:0.1"],
      ["team:3.0", "x:3.0"],
    ]);
  });
});
