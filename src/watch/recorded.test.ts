import { expect, test } from "vitest";
import { idOf } from "../../test/transcripts/files.js";
import type { PaneAddress } from "../names/gates.js";
import type { ForkRow } from "../stores/forks.js";
import { recordedIn } from "./recorded.js";

function row(facts: Partial<ForkRow> = {}): ForkRow {
  const plain = { at: "2026-01-01T00:00:00Z", pane: "web:0.0" as PaneAddress, role: null, parent: null };
  return { ...plain, uuid: idOf(1), state: "stable", ...facts };
}

test.each<[string, boolean, Partial<ForkRow>]>([
  ["the same", true, {}],
  ["the same later, in another state", true, { at: "2026-02-01T00:00:00Z", state: "live" }],
  ["another session", false, { uuid: idOf(2) }],
  ["another parent", false, { parent: idOf(3) }],
  ["one that broke", false, { state: "broken" }],
  ["another pane", false, { pane: "web:0.1" as PaneAddress }],
])("behind a row, %s is written already: %s", (_, expected, facts) =>
  expect(recordedIn([row()]).has(row(facts))).toBe(expected),
);

test("the last row of a pane counts, not one before it", () => {
  const { has } = recordedIn([row(), row({ uuid: idOf(2) })]);
  expect([has(row()), has(row({ uuid: idOf(2) }))]).toEqual([false, true]);
});

test("the last row that knew a parent tells it", () => {
  const { parentOf } = recordedIn([row({ parent: idOf(3) }), row()]);
  expect([parentOf(idOf(1)), parentOf(idOf(2))]).toEqual([idOf(3), null]);
});

test("neither an unknown session nor a parent that is not known any more gives a row", () => {
  expect(recordedIn([]).has(row({ uuid: null }))).toBe(true);
  expect(recordedIn([row({ parent: idOf(3) })]).has(row())).toBe(true);
});
