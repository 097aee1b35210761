import { describe, expect, test } from "vitest";
import type { PaneAddress, Role } from "../names/gates.js";
import { paneNamed } from "./find-pane.js";
import type { FleetPane, Panes } from "./panes.js";
import { findShifts } from "./shifts.js";

interface Given {
  panes: string[];
  rows?: Record<string, string>;
  /** Address → `address role`. */
  marks?: Record<string, string>;
  own?: string;
  team?: string;
}

function find(typed: string, { panes, rows = {}, marks = {}, own, team }: Given): string {
  const seen = panes.map((address, at) => {
    const [marked, role] = marks[address]?.split(" ") ?? [];
    const mark = marked === undefined ? null : { address: marked, role };
    const tmux = { sessionName: address.split(":")[0], sessionId: "$1", team: "$1|was" };
    return { id: `%${at}`, address, ...tmux, alsoAt: [], mark };
  }) as unknown as FleetPane[];
  const fleet: Panes = {
    takenAtMs: 0,
    background: [],
    clients: [],
    server: null,
    panes: seen,
    shifts: findShifts(seen),
  };
  const roles = Object.entries(rows).map(([pane, role]) => ({
    pane: pane as PaneAddress,
    role: role as Role,
    epoch: null,
  }));
  const inside = seen.find(({ address }) => address === own) ?? null;
  return paneNamed(fleet, typed, {
    roles,
    sessions: [],
    own: inside,
    ...(team === undefined ? {} : { team }),
  }).address;
}

const panes = ["a:0.0", "a:0.1", "b:0.0", "b:0.1"];
const rows = { "a:0.0": "po", "b:0.0": "po", "b:0.1": "tester", "gone:0.0": "ghost" };

describe("a role", () => {
  test.each<[string, string, Partial<Given>, string]>([
    ["[RN1] the only one that has it", "tester", {}, "b:0.1"],
    ["[RN1] the only one, from another team", "tester", { own: "a:0.0" }, "b:0.1"],
    ["[RN2] of several the one beside the caller", "po", { own: "b:0.1" }, "b:0.0"],
    ["[RN3] in the team that is named", "po", { team: "a" }, "a:0.0"],
    ["[RN3] in the team that is named, whatever the caller's", "po", { team: "a", own: "b:0.1" }, "a:0.0"],
    [
      "[RN4] where its pane is now",
      "po",
      { rows: { "a:0.0": "po" }, marks: { "b:0.1": "a:0.0 po" } },
      "b:0.1",
    ],
    ["[RN4] by its mark alone", "lead", { marks: { "a:0.1": "a:0.1 lead" } }, "a:0.1"],
  ])("%s", (_, typed, given, expected) => expect(find(typed, { panes, rows, ...given })).toBe(expected));

  test.each<[string, string, Partial<Given>, RegExp]>([
    ["[RN1] a part of a role", "test", {}, /nobody has the role "test"/],
    ["[RN1] other letters", "Tester", {}, /nobody has the role "Tester"/],
    ["[RN2] several, seen from outside", "po", {}, /several have the role "po": a:0\.0, b:0\.0/],
    [
      "[RN2] several in the caller's own",
      "po",
      { own: "a:0.0", rows: { ...rows, "a:0.1": "po" } },
      /: a:0\.0, a:0\.1$/,
    ],
    ["[RN3] one of another team", "tester", { team: "a" }, /nobody in a has the role "tester"/],
    ["[RN3] a team that does not run", "po", { team: "c" }, /no team "c" is running/],
    ["[RN4] one of a team that does not run", "ghost", {}, /nobody has the role "ghost"/],
    ["[RN1] words of an error message (incident 2)", "Did you mean", {}, /a role starts with a letter/],
  ])("%s is refused", (_, typed, given, expected) =>
    expect(() => find(typed, { panes, rows, ...given })).toThrow(expected),
  );
});

test("an address and an id name their pane, and nothing else", () => {
  expect(find("b:0.1", { panes })).toBe("b:0.1");
  expect(find("%3", { panes })).toBe("b:0.1");
  expect(() => find("b:0.7", { panes })).toThrow("there is no pane b:0.7");
});
