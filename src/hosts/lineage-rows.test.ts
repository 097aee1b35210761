import { expect, test } from "vitest";
import type { SessionId } from "../names/gates.js";
import type { ForkRow } from "../stores/forks.js";
import { newRows, travellingRows } from "./lineage-rows.js";

const row = (uuid: string | null, parent: string | null = null, more: Partial<ForkRow> = {}): ForkRow => ({
  at: "2026-04-22T08:52:40Z",
  pane: "web:0.0",
  role: null,
  uuid: uuid as SessionId,
  state: "stable",
  parent: parent as SessionId,
  ...more,
});

function check(rows: ForkRow[], sessions: string[], wanted: ForkRow[]) {
  expect(travellingRows(() => rows, sessions as SessionId[])).toEqual(wanted);
}

test("a session's rows travel with those of all its ancestors", () => {
  const [a, b, c, other] = [row("a"), row("b", "a"), row("c", "b"), row("x", "a")];
  check([c!, b!, other!, a!], ["c"], [c!, b!, a!]);
});

test("of equal rows only the first travels; another state or parent makes a new row", () => {
  const [first, live, parent] = [row("a"), row("a", null, { state: "live" }), row("a", "p")];
  check(
    [first!, row("a", null, { at: "later", pane: "web:0.9" }), live!, parent!, live!],
    ["a"],
    [first!, live!, parent!],
  );
});

test("a cycle of parents ends", () => {
  const rows = [row("a", "b"), row("b", "a")];
  check(rows, ["a"], rows);
});

test("a row without a session does not travel", () => check([row(null, "a")], ["a"], []));

test("an arrived row has no pane (incident 33)", () => {
  expect(newRows([row("b", "a")], [])).toEqual([row("b", "a", { pane: null })]);
});

test("a row that is known here, in any pane, is not written again", () => {
  const known = [row("b", "a", { pane: "api:0.0", at: "earlier" })];
  expect(newRows([row("b", "a"), row("b", "a", { state: "live" })], known)).toHaveLength(1);
});
