import { describe, expect, test } from "vitest";
import { fleetOf, pane, transcript } from "../../../test/fleet/made.js";
import { idOf } from "../../../test/transcripts/files.js";
import type { PaneAddress, Role, SessionId } from "../../names/gates.js";
import type { ForkRow } from "../../stores/forks.js";
import type { LineageEdge } from "../../transcripts/lineage/lineage.js";
import type { FleetPane } from "../panes.js";
import { listSessions } from "../sessions/session-list.js";
import {
  edgesOf,
  isGone,
  type LineageNode,
  nodesOf,
  readRecord,
  relativesOf,
  treesOf,
} from "./lineage-of.js";

const startedAtMs = 1_000_000;
const nothing = readRecord([]);

function row(uuid: number | null, parent: number | null, at = "2026-01-01T00:00:00Z"): ForkRow {
  const id = (number: number | null) => (number === null ? null : idOf(number));
  const where = { pane: "t:0.0" as PaneAddress, role: "po" as Role, state: "live" as const };
  return { at, ...where, uuid: id(uuid), parent: id(parent) };
}

function forkPane(parent: number, began: number | null = null): FleetPane {
  const args = {
    began: began === null ? null : idOf(began),
    forkedFrom: idOf(parent),
    model: null,
    name: null,
  };
  return pane("t:0.0", { arguments: args }, startedAtMs);
}

describe("what the arguments of a running fork prove", () => {
  type Edge = [parent: number, child: number, source: LineageEdge["source"]];
  type Case = [string, FleetPane, Parameters<typeof transcript> | null, Edge[]];
  test.each<Case>([
    ["its session, before the first message", forkPane(1), null, [[1, 2, "arguments"]]],
    [
      "its session, after a message",
      forkPane(1),
      [2, {}, { bornAtMs: startedAtMs + 9 }],
      [[1, 2, "arguments"]],
    ],
    [
      "nothing of one after /clear",
      forkPane(1),
      [2, { beginsWithClear: true }, { bornAtMs: startedAtMs }],
      [],
    ],
    [
      "the session that it began with, after /clear, if its records name that",
      forkPane(1),
      [
        2,
        { beginsWithClear: true, startedAs: idOf(3), writtenAs: idOf(3), writtenAsAtMs: startedAtMs + 9 },
        { bornAtMs: startedAtMs },
      ],
      [
        [1, 3, "arguments"],
        [3, 2, "startedAs"],
      ],
    ],
    [
      "nothing of one after /branch",
      forkPane(1),
      [2, { forkedFrom: { sessionId: idOf(9), message: "m" } }, { bornAtMs: startedAtMs }],
      [[9, 2, "forkedFrom"]],
    ],
    ["nothing of one from before it started", forkPane(1), [2, {}, { bornAtMs: 1 }], []],
    [
      "for certain, the session that the arguments name",
      forkPane(1, 3),
      [2, {}, { bornAtMs: startedAtMs }],
      [[1, 3, "chosen"]],
    ],
    ["nothing of its own parent", forkPane(2), null, []],
  ])("%s", (_, running, known, expected) => {
    const fleet = fleetOf(known === null ? [] : [transcript(...known)], [[running, idOf(2), "live"]]);
    const edges = edgesOf(fleet, new Map(), nothing);
    expect(edges.map(({ parent, child, source }) => [parent, child, source])).toEqual(
      expected.map(([parent, child, source]) => [idOf(parent), idOf(child), source]),
    );
  });

  test("they rank before the record and after certain knowledge", () => {
    const fleet = fleetOf([], [[forkPane(1), idOf(2), "live"]]);
    const record = readRecord([row(2, 7)]);
    expect(edgesOf(fleet, new Map(), record)).toMatchObject([{ parent: idOf(1), source: "arguments" }]);
    const chosen = { parent: idOf(5), child: idOf(2), source: "chosen" as const };
    expect(edgesOf(fleet, new Map(), record, [chosen])).toMatchObject([
      { parent: idOf(5), source: "chosen" },
    ]);
  });

  test("a guess does not turn a running fork and its parent around", () => {
    const fleet = fleetOf([transcript(1), transcript(2)], [[forkPane(1, 2), idOf(2), "live"]]);
    const guess = {
      parent: idOf(2),
      forkPoint: "m",
      forkPointAtMs: null,
      inferred: true,
      inheritsOrigin: false,
      isSibling: false,
    };
    expect(edgesOf(fleet, new Map([[idOf(1), guess]]), nothing)).toMatchObject([
      { parent: idOf(1), child: idOf(2), source: "chosen" },
    ]);
  });
});

test.each<[string, ForkRow[], [number, number][]]>([
  ["one row", [row(2, 1)], [[1, 2]]],
  ["the last of two", [row(2, 1), row(2, 3)], [[3, 2]]],
  ["a later row without a parent removes nothing", [row(2, 1), row(2, null)], [[1, 2]]],
  ["rows without a session", [row(null, 1)], []],
])("%s", (_, rows, expected) => {
  const edges = edgesOf(fleetOf([]), new Map(), readRecord(rows));
  expect(edges.map(({ parent, child }) => [parent, child])).toEqual(
    expected.map(([parent, child]) => [idOf(parent), idOf(child)]),
  );
});

const edge = (parent: number, child: number): LineageEdge => ({
  parent: idOf(parent),
  child: idOf(child),
  forkPoint: null,
  forkPointAtMs: null,
  kind: "fork",
  source: "forksFile",
  inferred: false,
});

const drawn = (root: LineageNode) =>
  [...nodesOf(root)].map(({ node, depth }) => [Number(node.id.slice(-4)), depth]);

describe("trees", () => {
  const entriesOf = (...numbers: number[]) =>
    listSessions(
      fleetOf(numbers.map((number) => transcript(number, {}, { modifiedAtMs: number, bornAtMs: number }))),
      { ordinary: 1, large: 2 },
    );

  test("sessions that only the record or an edge names are gone, and keep their place", () => {
    const [root, ...others] = treesOf(entriesOf(3), [edge(1, 2), edge(2, 3)], readRecord([row(2, 1)]));
    expect(others).toEqual([]);
    expect(
      [...nodesOf(root!)].map(({ node }) => [node.id, isGone(node), node.lastSeen?.role ?? null]),
    ).toEqual([
      [idOf(1), true, null],
      [idOf(2), true, "po"],
      [idOf(3), false, null],
    ]);
  });

  test("a session that only the cache of an ended pane names is gone; a running one without messages is not", () => {
    const cached = fleetOf([], [[pane("t:0.0", { process: null }), idOf(1), "broken"]]);
    const silent = fleetOf([], [[pane("t:0.0"), idOf(1), "stable"]]);
    const gone = [cached, silent].map((fleet) =>
      isGone(treesOf(listSessions(fleet, { ordinary: 1, large: 2 }), [], nothing)[0]!),
    );
    expect(gone).toEqual([true, false]);
  });

  test("every session is there once, siblings by age, the tree last written to first", () => {
    const roots = treesOf(entriesOf(1, 2, 3, 4, 5, 9), [edge(1, 3), edge(1, 2), edge(2, 5)], nothing);
    expect(roots.map(drawn)).toEqual([
      [[9, 0]],
      [
        [1, 0],
        [2, 1],
        [5, 2],
        [3, 1],
      ],
      [[4, 0]],
    ]);
  });

  test("a chain of ten thousand sessions is a tree", () => {
    const edges = Array.from({ length: 10_000 }, (_, at) => edge(at, at + 1));
    const roots = treesOf([], edges, nothing);
    expect(roots.map((root) => [...nodesOf(root)].length)).toEqual([10_001]);
  });
});

test("only transcripts of its family are a session's relatives", () => {
  const fleet = fleetOf([
    transcript(1, { rootMessage: "a" }),
    transcript(2, { rootMessage: "a" }),
    transcript(3, { rootMessage: "b" }),
    transcript(4),
    transcript(5, { rootMessage: "c", boundaries: ["c", "d"] }),
    transcript(6, { rootMessage: "e", boundaries: ["c"] }),
    transcript(7, { rootMessage: "d", boundaries: ["d"] }),
  ]);
  const related = (...wanted: SessionId[]) =>
    relativesOf(fleet, new Set(wanted)).index.transcripts.map(({ id }) => id);
  expect(related(idOf(2))).toEqual([idOf(1), idOf(2)]);
  expect(related(idOf(4), idOf(3))).toEqual([idOf(3), idOf(4)]);
  expect(related(idOf(7))).toEqual([idOf(5), idOf(6), idOf(7)]);
  expect(related()).toEqual([]);
});
