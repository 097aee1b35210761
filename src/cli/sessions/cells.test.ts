import pico from "picocolors";
import { describe, expect, test } from "vitest";
import { fleetOf, pane } from "../../../test/fleet/made.js";
import { agent } from "../../../test/fleet/rosters.js";
import { idOf } from "../../../test/transcripts/files.js";
import { treesOf } from "../../fleet/lineage/lineage-of.js";
import { listSessions } from "../../fleet/sessions/session-list.js";
import { limits } from "../../limits.js";
import type { SessionId } from "../../names/gates.js";
import { managedId } from "../../names/managed-id.js";
import { shortId } from "../../names/short-id.js";
import type { LineageEdge } from "../../transcripts/lineage/lineage.js";
import { treeLines } from "../lineage/show-lineage.js";
import { age, clipped, size } from "./cells.js";

const colours = pico.createColors(false);
const windows = { ordinary: 200_000, large: 1_000_000 };

test.each([
  [null, "–"],
  [0, "0 s"],
  [59, "59 s"],
  [60, "1 min"],
  [3599, "59 min"],
  [3600, "1 h"],
  [47 * 3600, "47 h"],
  [48 * 3600, "2 d"],
  [-5, "0 s"],
])("%j seconds are %s", (seconds, expected) =>
  expect(age(seconds === null ? null : 1e12 - seconds * 1000, 1e12)).toBe(expected),
);

test.each([
  [null, "–"],
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [9_940, "9.9 kB"],
  [12_345, "12 kB"],
  [999_999, "999 kB"],
  [1_500_000, "1.5 MB"],
  [2e9, "2.0 GB"],
])("%j bytes are %s", (bytes, expected) => expect(size(bytes)).toBe(expected));

test.each([
  ["nothing", null, "–"],
  ["a name", "mgr", "mgr"],
  ["escape sequences and line breaks", "a\u001b[2Jb\nc", "a␛[2Jb␊c"],
  ["a long title", "x".repeat(60), `${"x".repeat(59)}…`],
  ["a wide title", "漢".repeat(60), `${"漢".repeat(29)}…`],
  ["stacked combining marks", `x${"\u0301".repeat(10_000)}`, `x${"\u0301".repeat(119)}…`],
])("%s is clipped safely", (_, text, expected) => expect(clipped(text)).toBe(expected));

test("a UUID is shortened, a claw id is not", () => {
  expect(shortId(idOf(1))).toBe("00000000");
  expect(shortId(managedId("session-1794722529082-0"))).toBe("session-1794722529082-0");
});

describe("trees", () => {
  const id = (letter: string) => `${letter.repeat(8)}-0000-4000-8000-000000000000` as SessionId;
  const edge = (parent: string, child: string, more: Partial<LineageEdge> = {}): LineageEdge => ({
    ...{
      parent: id(parent),
      child: id(child),
      forkPoint: null,
      forkPointAtMs: null,
      kind: "fork",
      source: "hook",
      inferred: false,
    },
    ...more,
  });
  const options = { nowMs: 0, marked: id("c"), colours };
  const draw = (edges: LineageEdge[], ...found: Parameters<typeof fleetOf>[1] & object) =>
    treeLines(
      treesOf(listSessions(fleetOf([], found), windows), edges, { parents: new Map(), lastSeen: new Map() }),
      options,
    );

  test("are drawn with branches, panes and a mark on the named session", () => {
    const point = { forkPoint: "5e6f7a8b-1", inferred: true };
    const edges = [edge("a", "b"), edge("b", "c", point), edge("a", "d", { kind: "clear" }), edge("e", "f")];
    expect(draw(edges, [pane("t:0.0", { agent: agent("po t:0.0 %1") }), id("b"), "live"])).toEqual([
      "SESSION           FROM                         AGE  SIZE  WHERE     TITLE",
      "aaaaaaaa          –                              –     –  gone      –",
      "├─ bbbbbbbb       fork                         0 s     –  t:0.0 po  –",
      "│  └─ cccccccc *  fork at 5e6f7a8b (inferred)    –     –  gone      –",
      "└─ dddddddd       clear                          –     –  gone      –",
      "",
      "eeeeeeee          –                              –     –  gone      –",
      "└─ ffffffff       fork                           –     –  gone      –",
    ]);
  });

  test("show a number instead of an indent when deeper than a screen", () => {
    const at = (number: number) => idOf(number);
    const edges = Array.from({ length: 500 }, (_, n) => ({
      ...edge("a", "b"),
      parent: at(n),
      child: at(n + 1),
    }));
    const lines = draw(edges);
    expect(lines).toHaveLength(502);
    expect(lines[501]).toMatch(/^⋯500 └─ 00000000/);
    for (const line of lines) expect(line.length).toBeLessThan(3 * limits.lineageDepth + 80);
  });
});
