import { describe, expect, test } from "vitest";
import type { PaneAddress, Role, SessionId } from "../names/gates.js";
import { panesGone } from "./gone.js";
import type { FleetPane, Panes } from "./panes.js";
import { findShifts } from "./shifts.js";

const startedAtMs = 100_000;
const during = 200;

interface Given {
  /** Address → where its mark says, or null for none. */
  panes: Record<string, string | null>;
  rows: string[];
  epoch?: number | null;
  title?: string;
  /** Some pane of the team was marked once. */
  wasMarked?: boolean;
}

function gone({ panes, rows, epoch = during, title, wasMarked = false }: Given): string[] {
  const seen = Object.entries(panes).map(([address, marked]) => ({
    address,
    alsoAt: [],
    sessionId: "$1",
    team: wasMarked ? "$1" : "$7",
    sessionName: address.slice(0, address.lastIndexOf(":")),
    mark: marked === null ? null : { address: marked, role: "po" },
    process: null,
  })) as unknown as FleetPane[];
  const fleet = {
    server: { startedAtMs },
    panes: seen,
    shifts: findShifts(seen),
  } as unknown as Panes;
  const roles = rows.map((pane) => ({ pane: pane as PaneAddress, role: "po" as Role, epoch }));
  const sessions = [{ pane: "a:0.9" as PaneAddress, uuid: "x" as SessionId }];
  return panesGone(fleet, { roles, sessions }, new Set(["a"]), () => (title ?? null) as Role | null);
}

describe("panes that are gone", () => {
  const nine = "a:0.9";
  test.each<[string, Given, string[]]>([
    [
      "[GN1] only those of the team asked for (incident 65)",
      { panes: { "a:0.0": "a:0.0" }, rows: ["a:0.0", "a:0.7", "b:0.7"] },
      ["a:0.7", nine],
    ],
    ["[GN1] none of a team that does not run", { panes: { "b:0.0": null }, rows: ["a:0.0"] }, []],
    [
      "[GN2] not one whose mark stands where no row can name it",
      { panes: { "a:0.0": "a:0.0", "my team:0.0": "a:0.7" }, rows: ["a:0.7"] },
      [nine],
    ],
    [
      "[GN2] one whose mark stands where no row can name it, if another took its place (incident 45)",
      { panes: { "a:0.7": null, "my team:0.0": "a:0.7" }, rows: ["a:0.7"], title: "po" },
      ["a:0.7", nine],
    ],
    [
      "[GN2] nor is it left to an ended agent whose own row another has by now",
      { panes: { "a:0.0": "a:0.0", "a:0.7": "a:0.0", "my team:0.0": "a:0.7" }, rows: ["a:0.0", "a:0.7"] },
      ["a:0.7", nine],
    ],
    [
      "[GN3] one whose place a pane without a mark took (incident 45)",
      { panes: { "a:0.0": null, "a:0.1": "a:0.1" }, rows: ["a:0.0"] },
      ["a:0.0", nine],
    ],
    [
      "[GN3] not where nothing is marked",
      { panes: { "a:0.0": null, "b:0.0": "b:0.0" }, rows: ["a:0.0"] },
      [nine],
    ],
    [
      "[GN3] one of a team whose marked panes were all closed (incident 45)",
      { panes: { "a:0.0": null }, rows: ["a:0.0"], wasMarked: true },
      ["a:0.0", nine],
    ],
    [
      "[GN3] not by a row from before the server",
      { panes: { "a:0.0": null, "a:0.1": "a:0.1" }, rows: ["a:0.0"], epoch: 99 },
      [nine],
    ],
    [
      "[GN3] not by a row without a time",
      { panes: { "a:0.0": null, "a:0.1": "a:0.1" }, rows: ["a:0.0"], epoch: null },
      [nine],
    ],
    [
      "[GN3] not one whose title says the same",
      { panes: { "a:0.0": null, "a:0.1": "a:0.1" }, rows: ["a:0.0"], title: "po" },
      [nine],
    ],
    [
      "[GN4] none of a team that only lent its name to a tmux session of a later server",
      { panes: { "a:0.0": null }, rows: ["a:0.0", "a:0.7"], epoch: 99 },
      [],
    ],
    [
      "[GN4] those of a team of which something is marked",
      { panes: { "a:0.0": "a:0.0" }, rows: ["a:0.0", "a:0.7"], epoch: 99 },
      ["a:0.7", nine],
    ],
    [
      "[GN4] those of a team of which something was marked",
      { panes: { "a:0.0": null }, rows: ["a:0.7"], epoch: 99, wasMarked: true },
      ["a:0.7", nine],
    ],
    [
      "[GN4] those of a team with a row that was written while this server ran",
      { panes: { "a:0.0": null }, rows: ["a:0.0", "a:0.7"] },
      ["a:0.7", nine],
    ],
  ])("%s", (_, given, expected) => expect(gone(given)).toEqual(expected));
});
