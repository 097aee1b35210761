// Which agent of this host each arriving agent is. Pure.
//
// - An arriving agent keeps its id if the id is unknown here. It is away until it is started.
// - The agent with its session here, or with its role in the team, is the same agent and continues as it.
// - An id that belongs to an agent with another session here, or that was forgotten here, is not reused: the agent
//   gets a new id, and the output says so.
// - A fork is never its parent agent: it gets its own id.

import { isAgent } from "../../fleet/roster/role-of.js";
import { type RosterNow, roleHolder } from "../../fleet/roster/roster.js";
import { type AgentId, newAgentId } from "../../names/agent-id.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import type { SnapshotRow } from "../../stores/text/snapshot-text.js";
import { savedAddress } from "../../teams/snapshot/saved-team.js";

export interface Arriving {
  /** With their ids here; null for an agent that starts new. */
  rows: SnapshotRow[];
  /** New rows for the roster. */
  landed: AgentRow[];
  /** Lines for people. */
  said: string[];
}

export interface ArrivingFacts {
  roster: Pick<RosterNow, "agents">;
  isForgotten(agent: AgentId): boolean;
  isFork: boolean;
  nowMs: number;
  newId?: () => AgentId;
}

export function arrivingAgents(saved: readonly SnapshotRow[], facts: ArrivingFacts): Arriving {
  const arriving: Arriving = { rows: [], landed: [], said: [] };
  for (const row of saved) {
    const holder = isAgent(row) ? holderOf(row, facts) : undefined;
    const isNew = isAgent(row) && row.uuid !== null && holder === undefined && !facts.isFork;
    const landed = isNew ? landing(row, facts, arriving.said) : null;
    if (landed !== null) arriving.landed.push(landed);
    arriving.rows.push({ ...row, agent: holder?.id ?? landed?.id ?? null });
  }
  return arriving;
}

/** The agent here that continues as this one, or already runs. */
function holderOf({ team, role, uuid }: SnapshotRow, { roster, isFork }: ArrivingFacts) {
  const bySession = isFork ? undefined : roster.agents.find(({ session }) => session === uuid);
  if (bySession !== undefined && uuid !== null) return bySession;
  return roleHolder(roster, team, role);
}

function landing(
  row: SnapshotRow,
  { roster, isForgotten, nowMs, newId = newAgentId }: ArrivingFacts,
  said: string[],
): AgentRow {
  const { agent, team, role, kind, uuid: session } = row;
  const address = savedAddress(row);
  const isUsed = agent !== null && (isForgotten(agent) || roster.agents.some(({ id }) => id === agent));
  const id = agent === null || isUsed ? newId() : agent;
  if (isUsed) {
    const why = isForgotten(agent) ? "was forgotten here" : "belongs to another agent here";
    said.push(`${role ?? address}: its id ${agent} ${why}, so it gets @${id}`);
  }
  return { id, team, role, kind, session, seat: null, address, epoch: Math.floor(nowMs / 1000) };
}
