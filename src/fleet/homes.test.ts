import { expect, test } from "vitest";
import { fleetOf, pane } from "../../test/fleet/made.js";
import type { PaneAddress, Role } from "../names/gates.js";
import { keptSince } from "./homes.js";

test.each([
  ["from before its tmux session is kept", 99, ["web:0.1"]],
  ["that was written after the look is not", 350, []],
  ["from a clock that was ahead is kept", 500, ["web:0.1"]],
])("[HMS1] a place whose row is %s", (_, epoch, kept) => {
  const mark = { address: "web:0.0" as PaneAddress, role: "po" as Role };
  const there = pane("web:0.0", { mark, sessionCreatedMs: 100_000 });
  const seen = { ...fleetOf([], [[there, null, "unknown"]]), takenAtMs: 300_000 };
  const rows = { roles: [{ pane: "web:0.1" as PaneAddress, role: "dev" as Role, epoch }], sessions: [] };
  expect([...keptSince(seen, rows, 400_000).keys()]).toEqual(kept);
});
