import { describe, expect, test } from "vitest";
import { filtered, foldersOf, found, noFilter } from "./choose-sessions.js";
import { everyone, familiesOf } from "./graph.js";
import { graphWith, minute } from "./sample-graph.js";

const nowMs = 1_000 * minute;
const families = familiesOf(
  graphWith([
    { id: "aaaa", from: 0, to: 10, cwd: "/web", title: "Plan the release" },
    { id: "bbbb", from: 5, to: 20, cwd: "/api", parent: "aaaa", title: "Fix the parser" },
    {
      id: "cccc",
      from: 900,
      to: 990,
      cwd: "/api",
      parent: "bbbb",
      title: "Race in the parser",
      kind: "clear",
    },
    { id: "dddd", from: 3, to: 4, cwd: "/web", title: "Notes" },
    { id: "eeee", from: 1, to: 2, cwd: "/old", title: "Running", life: "running" },
  ]),
  nowMs,
);
const ids = (kin: readonly { id: string }[]) => kin.map(({ id }) => id);
const shown = (filter: Partial<typeof noFilter>) =>
  ids(everyone(filtered(families, { ...noFilter, ...filter }, nowMs)));

describe("a filter", () => {
  test("keeps everything if nothing is chosen", () => {
    expect(shown({})).toEqual(["aaaa", "bbbb", "cccc", "dddd", "eeee"]);
  });

  test("by folder keeps the ancestors, so that the family stays connected", () => {
    expect(shown({ folder: "/api" })).toEqual(["aaaa", "bbbb", "cccc"]);
    expect(shown({ folder: "/web" })).toEqual(["aaaa", "dddd"]);
  });

  test("by time keeps what changed lately and what runs", () => {
    expect(shown({ withinMs: 60 * minute })).toEqual(["aaaa", "bbbb", "cccc", "eeee"]);
  });

  test("can leave out sessions without relatives", () => {
    expect(shown({ isFamiliesOnly: true })).toEqual(["aaaa", "bbbb", "cccc"]);
  });

  test("does not change the families it was given", () => {
    shown({ folder: "/web" });
    expect(families[0]!.children).toHaveLength(1);
  });
});

test("folders are counted, the largest first", () => {
  expect(foldersOf(families)).toEqual([
    { folder: "/api", count: 2 },
    { folder: "/web", count: 2 },
    { folder: "/old", count: 1 },
  ]);
});

describe("a search", () => {
  const all = everyone(families);
  const check = (typed: string, expected: string[], inText: string[] = []) =>
    expect(ids(found(all, typed, new Set(inText)))).toEqual(expected);

  test("finds words in any order in title, folder, id and kind", () => {
    check("parser", ["bbbb", "cccc"]);
    check("parser race", ["cccc"]);
    check("/web", ["aaaa", "dddd"]);
    check("BBB", ["bbbb"]);
    check("clear", ["cccc"]);
    check("running", ["eeee"]);
  });

  test("finds what the server found in the text", () => check("nowhere", ["dddd"], ["dddd"]));

  test("finds nothing without a word", () => check("  ", []));
});
