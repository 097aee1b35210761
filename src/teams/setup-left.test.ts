import { expect, test } from "vitest";
import { fleetOf, pane, seated } from "../../test/fleet/made.js";
import type { FleetPane } from "../fleet/panes.js";
import type { PaneAddress, Role, TeamName } from "../names/gates.js";
import { setupLeft } from "./setup-left.js";

const roles = ["lead", "dev"] as Role[];
const nothing = { kind: "shell", process: null, dead: false, name: null } as const;

/**
 * The panes of the team in order: `lead` runs, `lead?` was opened for it, `lead!` has its name too, `$ …` is a
 * command.
 */
function left(panes: readonly string[]) {
  const made = panes.map((what, at): FleetPane => {
    const address = `web:0.${at}` as PaneAddress;
    const role = what.replace(/[?!]$/, "") as Role;
    const opened = { ...nothing, startCommand: `env HIVEMIND_ROLE=${role} cat`, sessionCreatedMs: 9_000_000 };
    if (what.startsWith("$")) return pane(address, { ...nothing, startCommand: what.slice(2) });
    if (what.endsWith("?")) return pane(address, { ...opened, team: "" });
    const facts = what.endsWith("!") ? opened : { dead: false };
    return pane(address, { ...facts, agent: seated(address, role) });
  });
  const seen = fleetOf(
    [],
    made.map((each) => [each, null, "unknown"]),
  );
  const found = setupLeft(seen, "web" as TeamName, roles);
  if (found === null) return null;
  const places = (map: Map<Role, FleetPane>) =>
    [...map].map(([role, { address }]) => `${role} ${address.slice(4)}`);
  return [places(found.named), places(found.nameless), found.surplus.map(({ address }) => address.slice(4))];
}

test.each([
  ["the first pane", ["lead?"], [[], ["lead 0.0"], []]],
  ["all panes", ["lead?", "dev?"], [[], ["lead 0.0", "dev 0.1"], []]],
  ["one with its name", ["lead!", "dev?"], [["lead 0.0"], ["dev 0.1"], []]],
  ["one agent", ["lead", "dev?"], [["lead 0.0"], ["dev 0.1"], []]],
  ["both agents", ["lead", "dev"], [["lead 0.0", "dev 0.1"], [], []]],
])("%s can be left over", (_, panes, expected) => {
  expect(left(panes)).toEqual(expected);
});

test.each([
  ["a person's cat", ["lead?", "$ cat"]],
  ["a pane that a restore keeps open", ["lead?", "$ env cat"]],
  ["a shell", ["lead", "$ "]],
  ["an agent that was not asked for", ["lead", "dev", "qa"]],
  ["one role twice", ["lead", "lead"]],
])("%s is not taken over", (_, panes) => {
  expect(left(panes)).toBeNull();
});

test.each([
  [
    ["dev?", "lead?"],
    [[], ["lead 0.1", "dev 0.0"], []],
  ],
  [
    ["qa?", "lead?"],
    [[], ["lead 0.1", "dev 0.0"], []],
  ],
  [
    ["lead", "qa?", "dev?"],
    [["lead 0.0"], ["dev 0.2"], ["0.1"]],
  ],
])("%j: each role gets its own pane, and surplus panes close", (panes, expected) => {
  expect(left(panes)).toEqual(expected);
});
