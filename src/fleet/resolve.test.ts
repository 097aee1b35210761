import { describe, expect, test } from "vitest";
import { agentRow, fleetOf, pane, seated } from "../../test/fleet/made.js";
import { findPaneOrAgent, paneNamed } from "./find-pane.js";

interface Given {
  panes: string[];
  /** Address → role. */
  roles?: Record<string, string>;
  /** The same for agents without a pane. */
  away?: Record<string, string>;
  own?: string;
  team?: string;
}

function look({ panes: addresses, roles = {}, away = {}, own, team }: Given) {
  const seen = addresses.map((address, at) =>
    pane(address, { id: `%${at}`, agent: roles[address] ? seated(address, roles[address]) : null }),
  );
  const absent = Object.entries(away).map(([address, role]) => agentRow(address, role));
  const fleet = fleetOf(
    [],
    seen.map((each) => [each, null, "unknown"]),
    absent,
  );
  const inside = seen.find(({ address }) => address === own) ?? null;
  return { fleet, context: { own: inside, ...(team === undefined ? {} : { team }) } };
}

function find(typed: string, given: Given): string {
  const { fleet, context } = look(given);
  return paneNamed(fleet, typed, context).address;
}

const panes = ["a:0.0", "a:0.1", "b:0.0", "b:0.1"];
const roles = { "a:0.0": "po", "b:0.0": "po", "b:0.1": "tester" };
const away = { "gone:0.0": "ghost" };

describe("a role", () => {
  test.each<[string, string, Partial<Given>, string]>([
    ["[RN1] the only pane that has it", "tester", {}, "b:0.1"],
    ["[RN1] the only pane, from another team", "tester", { own: "a:0.0" }, "b:0.1"],
    ["[RN2] of several, the one in the caller's team", "po", { own: "b:0.1" }, "b:0.0"],
    ["[RN3] in the given team", "po", { team: "a" }, "a:0.0"],
    ["[RN3] in the given team, whatever the caller's", "po", { team: "a", own: "b:0.1" }, "a:0.0"],
    ["[RN4] a present agent before an away one", "tester", { away: { "c:0.0": "tester" } }, "b:0.1"],
  ])("%s", (_, typed, given, expected) =>
    expect(find(typed, { panes, roles, away, ...given })).toBe(expected),
  );

  test.each<[string, string, Partial<Given>, RegExp]>([
    ["[RN1] a part of a role", "test", {}, /no agent has the role "test"/],
    ["[RN1] other letter case", "Tester", {}, /no agent has the role "Tester"/],
    ["[RN2] several, from outside", "po", {}, /several agents have the role "po": a:0\.0, b:0\.0/],
    [
      "[RN2] several in the caller's own team",
      "po",
      { own: "a:0.0", roles: { ...roles, "a:0.1": "po" } },
      /: a:0\.0, a:0\.1$/,
    ],
    ["[RN3] a role of another team", "tester", { team: "a" }, /no agent in a has the role "tester"/],
    ["[RN3] a team that does not run", "po", { team: "c" }, /no team "c" is running/],
    ["[RN4] an away agent", "ghost", {}, /ghost of gone is away/],
    ["[RN4] an away agent of the given team", "ghost", { team: "gone" }, /ghost of gone is away/],
    ["[RN1] words of an error message (incident 2)", "Did you mean", {}, /a role starts with a letter/],
  ])("%s is refused", (_, typed, given, expected) =>
    expect(() => find(typed, { panes, roles, away, ...given })).toThrow(expected),
  );
});

test("an address and an id find their pane, and nothing else", () => {
  expect(find("b:0.1", { panes })).toBe("b:0.1");
  expect(find("%3", { panes })).toBe("b:0.1");
  expect(() => find("b:0.7", { panes })).toThrow("there is no pane b:0.7");
});

test("[RN4] the hint is the command that restarts an away agent, or where it runs", () => {
  const ghost = agentRow("gone:0.0", "ghost");
  const hint = `restart it: hivemind agent restart @${ghost.id}`;
  expect(() => find("ghost", { panes, roles, away })).toThrow(expect.objectContaining({ hint }));
  const elsewhere = seated("gone:0.0", "ghost", {
    seat: { server: { socket: "/t", pid: 11, startedAt: 1 }, pane: "%7" },
  });
  const { fleet, context } = look({ panes });
  const known = { ...fleet, roster: { ...fleet.roster, agents: [elsewhere] } };
  expect(() => paneNamed(known, "ghost", context)).toThrow(
    expect.objectContaining({
      message: "ghost of gone runs on another tmux server",
      hint: "it is at gone:0.0 there: tmux -S /t",
    }),
  );
});

test.each<[string, string, Partial<Given>, string]>([
  ["a role", "ghost", {}, "away ghost"],
  ["its last address", "gone:0.0", {}, "away ghost"],
  ["its id", `@${agentRow("gone:0.0", "ghost").id}`, {}, "away ghost"],
  ["an address where another pane is", "a:0.1", { away: { "a:0.1": "ghost" } }, "a:0.1 nobody"],
  ["a role that a pane has too", "po", { away: { "c:0.0": "po" }, team: "a" }, "a:0.0 po"],
])("an away agent is found by %s", (_, typed, given, expected) => {
  const { fleet, context } = look({ panes, roles, away, ...given });
  const { pane: found, agent } = findPaneOrAgent(fleet, typed, context);
  expect(`${found?.address ?? "away"} ${agent?.role ?? "nobody"}`).toBe(expected);
});
