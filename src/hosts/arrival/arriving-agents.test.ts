import { expect, test } from "vitest";
import { agentRow, madeServer } from "../../../test/fleet/made.js";
import { row } from "../../../test/teams/made.js";
import { idOf } from "../../../test/transcripts/files.js";
import type { AgentId } from "../../names/agent-id.js";
import type { PaneId, Role } from "../../names/gates.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import type { SnapshotRow } from "../../stores/text/snapshot-text.js";
import { arrivingAgents } from "./arriving-agents.js";

const [its, other, fresh] = ["itsitsitsi", "otherother", "freshfresh"] as [AgentId, AgentId, AgentId];
const lead = "lead" as Role;
const saved = row("0.0", { agent: its, role: lead, uuid: idOf(1) });
const seat = { server: madeServer, pane: "%1" as PaneId };
const here = (facts: Partial<AgentRow>) => agentRow("web:0.7", "lead", { id: other, ...facts });

interface Given {
  rows?: SnapshotRow[];
  agents?: AgentRow[];
  forgotten?: AgentId[];
  isFork?: boolean;
}

function check({ rows = [saved], agents = [], forgotten = [], isFork = false }: Given) {
  return arrivingAgents(rows, {
    roster: { agents },
    isForgotten: (agent) => forgotten.includes(agent),
    isFork,
    nowMs: 7_500,
    newId: () => fresh,
  });
}

const ids = (given: Given) => {
  const { rows, landed, said } = check(given);
  return [rows.map(({ agent }) => agent), landed.map(({ id }) => id), said];
};

test("an agent with an id that is unknown here keeps it, and is away", () => {
  expect(check({ agents: [here({ role: "qa" as Role })] })).toEqual({
    rows: [saved],
    landed: [
      {
        ...{ id: its, team: "web", role: "lead", kind: "claude", session: idOf(1), seat: null },
        ...{ address: "web:0.0", epoch: 7 },
      },
    ],
    said: [],
  });
});

test.each<[string, Given, unknown[]]>([
  [
    "a shell gets no row in the roster",
    { rows: [{ ...saved, kind: "shell", uuid: null }] },
    [[null], [], []],
  ],
  ["nor does an agent without a known session", { rows: [{ ...saved, uuid: null }] }, [[null], [], []]],
  [
    "an agent of an earlier version gets an id",
    { rows: [{ ...saved, agent: null }] },
    [[fresh], [fresh], []],
  ],
])("%s", (_, given, expected) => expect(ids(given)).toEqual(expected));

test.each<[string, AgentRow]>([
  ["the same agent, away since it left", here({ id: its, session: idOf(1) })],
  ["the same agent, in its pane", here({ id: its, session: idOf(1), seat })],
  ["another id with its session", here({ session: idOf(1), role: null })],
  ["an away agent with its role", here({ session: idOf(9) })],
  ["an agent with its role that now runs in another session", here({ session: idOf(9), seat })],
])("%s continues as the arriving agent", (_, agent) => {
  expect(ids({ agents: [agent] })).toEqual([[agent.id], [], []]);
});

test("an id that another agent has, or that was forgotten, is not reused, and the output says so", () => {
  const taken = here({ id: its, role: "qa" as Role, session: idOf(9) });
  const said = (why: string) => [`lead: its id ${its} ${why}, so it gets @${fresh}`];
  expect(ids({ agents: [taken] })).toEqual([[fresh], [fresh], said("belongs to another agent here")]);
  expect(ids({ forgotten: [its] })).toEqual([[fresh], [fresh], said("was forgotten here")]);
});

test("a fork gets its own id, also next to its parent agent", () => {
  expect(ids({ isFork: true })).toEqual([[null], [], []]);
  const origin = here({ id: its, session: idOf(1), seat, team: "old" as AgentRow["team"] });
  expect(ids({ isFork: true, agents: [origin] })).toEqual([[null], [], []]);
});
