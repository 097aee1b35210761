import { expect, test } from "vitest";
import { agentRow, madeServer, pane, rosterOf, seated } from "../../../test/fleet/made.js";
import { idOf } from "../../../test/transcripts/files.js";
import type { PaneAddress } from "../../names/gates.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import { type FleetPane, type Panes, rejoined } from "../panes.js";
import type { Work } from "./change-roster.js";
import { type KnownWorld, knownAgent } from "./known-agent.js";

const live = { sessionId: idOf(1) } as FleetPane["live"];
const elsewhere = { server: { socket: "/tmp/far", pid: 99, startedAt: 5 }, pane: "%1" as const };

/** Asks for the agent of the last pane; returns it with the changes written. */
async function known(
  panes: readonly FleetPane[],
  absent: readonly AgentRow[] = [],
  foreignQueues: string[] = [],
) {
  const seen = { panes, roster: rosterOf(panes, absent) } as unknown as Panes;
  const written: AgentRow[] = [];
  const world: KnownWorld = {
    tmux: { server: undefined! },
    stores: {
      queues: { foreignQueues: () => foreignQueues.map((at) => ({ pane: at as PaneAddress })) },
    } as never,
    writeNews: async () => false,
    change: async (work?: Work) => {
      const { agents } = work!(seen.roster);
      written.push(...agents.filter((agent) => !seen.roster.agents.includes(agent)));
      return rejoined(seen, { ...seen.roster, agents });
    },
  };
  return { agent: await knownAgent(world, seen, panes.at(-1)!), written };
}

test("an agent in the roster is returned without a change", async () => {
  const lead = seated("web:0.0", "lead");
  expect(await known([pane("web:0.0", { agent: lead })])).toEqual({ agent: lead, written: [] });
});

test("an unknown agent gets an id, its seat and its session, and no role", async () => {
  const { agent, written } = await known([pane("web:0.0", { live, kind: "demo" })]);
  expect(written).toEqual([agent]);
  expect(agent).toMatchObject({
    id: expect.stringMatching(/^[a-z2-7]{10}$/),
    team: "web",
    role: null,
    kind: "demo",
    session: idOf(1),
    seat: { server: madeServer, pane: "%web:0.0" },
    address: "web:0.0",
  });
});

test("messages that another program wrote under the pane's name are taken in first", async () => {
  const lead = seated("web:0.0", "lead");
  const panes = [pane("web:0.0", { agent: lead })];
  expect(await known(panes, [], ["web:0.0"])).toEqual({ agent: lead, written: [] });
});

test.each<[string, FleetPane[], AgentRow[], RegExp]>([
  ["a pane without an agent", [pane("web:0.0", { kind: "shell" })], [], /no agent runs in web:0\.0/],
  ["a tmux session whose name no row can hold", [pane("a b:0.0")], [], /refused "a b"/],
  [
    "a team that runs on another server",
    [pane("web:0.0")],
    [agentRow("web:0.0", "lead", { seat: elsewhere })],
    /runs on another tmux server/,
  ],
  [
    "a client that has another agent's session",
    [pane("web:0.0", { agent: seated("web:0.0", "lead", { session: idOf(1) }) }), pane("web:0.1", { live })],
    [],
    /which belongs to lead/,
  ],
])("%s gets no agent", async (_, panes, absent, why) => {
  await expect(known(panes, absent)).rejects.toThrow(why);
});
