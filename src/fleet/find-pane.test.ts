import { expect, test } from "vitest";
import { agentRow, pane, rosterOf, seated } from "../../test/fleet/made.js";
import { HiveError } from "../base/errors.js";
import type { PaneId } from "../names/gates.js";
import { chooseServer } from "../tmux/socket.js";
import { findPaneOrAgent, rowAddress } from "./find-pane.js";
import type { Panes } from "./panes.js";

test("a tmux session name that no row can hold is refused, with the rename command", () => {
  const server = chooseServer({ HIVEMIND_TMUX_SOCKET: "/srv/a b.sock" });
  expect(rowAddress(pane("web:0.1"), server)).toBe("web:0.1");
  const odd = pane("$(touch x):0.1", { id: "%7" });
  const hint = "rename it: tmux -S '/srv/a b.sock' rename-session -t %7 NAME";
  expect(() => rowAddress(odd, server)).toThrow(expect.objectContaining({ hint }));
  expect(() => rowAddress(odd, undefined)).toThrow(HiveError);
});

const lead = seated("web:0.0", "lead");
const panes = [pane("web:0.0", { agent: lead }), pane("web:0.1"), pane("ops:0.0")];
const absent = [
  agentRow("web:0.7", "po", { epoch: 5 }),
  agentRow("web:0.7", "qa", { epoch: 9 }),
  agentRow("web:0.1", "old"),
  agentRow("web:0.8", "dev"),
  agentRow("ops:0.8", "dev", { id: "opsdevopsd" as never }),
];
const fleet = { panes, roster: rosterOf(panes, absent) } as unknown as Panes;
const own = panes.at(-1)!;

test.each<[string, string, Parameters<typeof findPaneOrAgent>[2], string]>([
  ["a role that a pane has", "lead", { own: null }, "web:0.0 lead"],
  ["a role that an away agent has", "po", { own: null }, "away po"],
  ["a role of two away agents, for a caller beside one of them", "dev", { own }, "away opsdevopsd"],
  ["the same with a team", "dev", { own, team: "web" }, `away ${absent[3]!.id}`],
  ["the id of an agent in a pane", `@${lead.id}`, { own: null }, "web:0.0 lead"],
  ["the id of an away agent", `@${absent[0]!.id}`, { own: null }, "away po"],
  ["a pane", "web:0.0", { own: null }, "web:0.0 lead"],
  [
    "the last address of an away agent, where a pane without an agent is",
    "web:0.1",
    { own: null },
    "web:0.1 nobody",
  ],
  [
    "an address without a pane, for the agent that was seated there last",
    "web:0.7",
    { own: null },
    "away qa",
  ],
])("%s finds its agent: %s", (_, typed, context, expected) => {
  const { pane: found, agent } = findPaneOrAgent(fleet, typed, context);
  const where = found === null ? "away" : found.address;
  const names = [agent?.role ?? "nobody", agent?.id].map((name) => `${where} ${name}`);
  expect(names).toContain(expected);
});

test.each([
  ["two away agents have it", "dev", { own: null }, /several away agents have the role "dev"/],
  ["no agent has the role", "nobody", { own: null }, /no agent has the role/],
  ["no agent has the id", "@aaaaaaaaaa", { own: null }, /there is no agent @aaaaaaaaaa/],
  ["no agent was there", "web:0.9", { own: null }, /there is no pane web:0\.9/],
  ["no pane has the address", "%99" as PaneId, { own: null }, /there is no pane %99/],
])("a name is refused if %s", (_, typed, context, why) => {
  expect(() => findPaneOrAgent(fleet, typed, context)).toThrow(why);
});
