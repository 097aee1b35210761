import { expect, test } from "vitest";
import { farAgent, madeFar, nowMs } from "../../test/top/made-fleet.js";
import type { FarAgent } from "../link/rows.js";
import { farAgeMs, farName, farRowsOf } from "./far-rows.js";
import { labelOf, type RowWishes } from "./rows.js";

const wishes: RowWishes = { folded: new Set(), filter: "", order: "waiting" };
const labels = (far = madeFar(), given: Partial<RowWishes> = {}) =>
  farRowsOf(far, { ...wishes, ...given }).map(labelOf);

test.each<[string, Partial<RowWishes>, string[]]>([
  [
    "hosts and agents that wait come first",
    {},
    ["beta", "tester@beta", "lead@beta", "alpha", "scout@alpha", "gone", "ghost@gone"],
  ],
  [
    "without that order hosts are by name, agents by place",
    { order: "tmux" },
    ["alpha", "scout@alpha", "beta", "lead@beta", "tester@beta", "gone", "ghost@gone"],
  ],
  [
    "by context",
    { order: "context" },
    ["alpha", "scout@alpha", "beta", "tester@beta", "lead@beta", "gone", "ghost@gone"],
  ],
  [
    "a folded host hides its agents",
    { folded: new Set(["host beta"]) },
    ["beta", "alpha", "scout@alpha", "gone", "ghost@gone"],
  ],
  ["a filter finds agents", { filter: "scou" }, ["alpha", "scout@alpha"]],
  ["a filter finds hosts", { filter: "BETA" }, ["beta", "tester@beta", "lead@beta"]],
])("%s", (_, given, expected) => {
  expect(labels(madeFar(), given)).toEqual(expected);
});

test("an agent of a host that is not reached does not count as waiting", () => {
  const rows = farRowsOf(madeFar(), wishes);
  const heads = rows.flatMap((row) => (row.kind === "host" ? [[row.host.host, row.waiting]] : []));
  expect(heads).toEqual([
    ["beta", 1],
    ["alpha", 0],
    ["gone", 0],
  ]);
});

test("rows that a host publishes twice are one row, so that every row can be chosen", () => {
  const far = madeFar();
  far.agents.push({ ...far.agents[0]!, role: null });
  expect(new Set(farRowsOf(far, wishes).map(({ key }) => key)).size).toBe(7);
  expect(labels(far)).toHaveLength(7);
});

test("rows keep their places when a host writes them in another order", () => {
  const far = madeFar();
  far.agents.reverse();
  expect(labels(far)).toEqual(labels());
});

test.each<[string, Partial<FarAgent>, string | null]>([
  ["its id", {}, "@leadaaaaaa@beta"],
  ["else its pane", { agent: null }, "shop:0.1@beta"],
  ["else its role", { agent: null, pane: "a place that is no address" }, "lead@beta"],
  ["never a text that a command would take as an option", { agent: null, pane: "--yes", role: null }, null],
  ["nothing names a conversation in the background", { agent: null, pane: null }, null],
])("a command names an agent of another host by %s", (_, facts, expected) => {
  expect(farName(farAgent("beta", "lead", "idle", facts))).toBe(expected);
});

test.each([
  ["the server's clock an hour ahead", 3_600_000, 0, 5_000],
  ["the same, four seconds later", 3_600_000, 4_000, 9_000],
  ["a clock of this host that was set back", 0, -60_000, 5_000],
])("an age counts by the server's clock, and goes on here: %s", (_, aheadMs, laterMs, expected) => {
  const far = { ...madeFar(), serverMs: nowMs + aheadMs, readAtMs: nowMs };
  expect(farAgeMs(far, nowMs + aheadMs - 5_000, nowMs + laterMs)).toBe(expected);
});
