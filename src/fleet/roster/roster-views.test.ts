import { expect, test } from "vitest";
import { agent, agentId } from "../../../test/fleet/rosters.js";
import { ownersOf, viewsOf } from "./roster-views.js";

const rows = (agents: readonly string[], running: readonly string[]) => {
  const { roles, sessions } = viewsOf(
    agents.map((text) => agent(text)),
    new Set(running),
  );
  return [
    ...roles.map(({ pane, role, epoch }) => `${pane}|${role}|${epoch}`),
    ...sessions.map(({ pane, uuid }) => `${pane}|${uuid[0]}`),
  ];
};

test.each([
  [
    "present agents and agents elsewhere",
    ["po web:0.0 %1 1", "ci ops:0.0 8%7 3"],
    ["web"],
    ["ops:0.0|ci|50", "web:0.0|po|50", "ops:0.0|3", "web:0.0|1"],
  ],
  ["an agent without a session", ["po web:0.0 %1"], ["web"], ["web:0.0|po|50"]],
  ["a team that is not running", ["po web:0.0 - 1"], [], ["web:0.0|po|50", "web:0.0|1"]],
  [
    "an away agent of a running team",
    ["po web:0.0 %1 1", "qa web:0.1 - 2"],
    ["web"],
    ["web:0.0|po|50", "web:0.0|1"],
  ],
  [
    "an agent whose team runs elsewhere",
    ["po web:0.0 8%1 1", "qa web:0.1 - 2"],
    [],
    ["web:0.0|po|50", "web:0.0|1"],
  ],
  ["a foreign tmux session with the team's name", ["po web:0.0 - 1"], ["web"], []],
])("%s", (_, agents, running, expected) => expect(rows(agents, running)).toEqual(expected));

test("an agent without a role or a valid address has no row, and the first has its queue", () => {
  const nameless = agent("po web:0.0 %1 1", { role: null });
  const placeless = agent("qa web:0.1 %2 2", { address: null });
  expect(viewsOf([nameless, placeless], new Set(["web"]))).toEqual({ roles: [], sessions: [] });
  expect([...ownersOf([nameless, placeless], new Set(["web"]))]).toEqual([["web:0.0", agentId("po")]]);
});

test("of two agents with one last address, the one seated later has it", () => {
  const agents = [agent("po web:0.0 - 1", { epoch: 60 }), agent("qa web:0.0 - 2")];
  expect(viewsOf(agents, new Set()).roles).toMatchObject([{ pane: "web:0.0", role: "po" }]);
  expect(viewsOf(agents.toReversed(), new Set()).sessions).toMatchObject([{ uuid: agents[0]!.session }]);
});
