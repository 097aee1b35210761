// Stage 4: sessions that nothing can open any more. Pure.
//
// - An agent's session is broken if it has no transcript and no live process holds it. This covers agents that ended
//   or are away in a running team, and teams that neither run nor can come back.
// - Not broken: the session of a pane with a running agent, which the other invariants cover; a session without a
//   conversation that can be forked from its parent again; a session of an agent on another tmux server.
// - While a folder that may hold transcripts is missing, nothing is broken. Without a tmux server no team counts as
//   gone.

import { standingIn } from "../fleet/roster/roster.js";
import type { AgentId } from "../names/agent-id.js";
import type { PaneAddress, SessionId, TeamName } from "../names/gates.js";
import type { AgentRow } from "../stores/text/roster-rows.js";
import type { Facts } from "./facts.js";
import { canComeBack, isRestorable } from "./invariants.js";

export interface BrokenSession {
  /** The agent's address, or its last one. */
  pane: PaneAddress | null;
  uuid: SessionId;
  agent: AgentId | null;
  team: TeamName;
}

export function brokenSessions(facts: Facts): BrokenSession[] {
  return facts.fleet.roster.agents.flatMap((agent) => {
    const { id, address: pane, session: uuid, team } = agent;
    const isBroken = uuid !== null && isOver(facts, agent) && !canComeBack(facts, uuid);
    return isBroken ? [{ pane, uuid, agent: id, team }] : [];
  });
}

/** What a refresh counts as broken, including silent forks of existing sessions. */
export function brokenInPanes({ fleet, teams }: Facts): BrokenSession[] {
  return fleet.panes.flatMap(({ id, address: pane, sessionName, agent }) => {
    const { uuid, state } = fleet.sessions.get(id)!;
    if (!teams.has(sessionName) || state !== "broken" || uuid === null) return [];
    return { pane, uuid, agent: agent?.id ?? null, team: sessionName as TeamName };
  });
}

/** Whether no process can be in the agent's session. */
function isOver(facts: Facts, agent: AgentRow): boolean {
  const { fleet, teams, running, only, stored } = facts;
  const { team } = agent;
  const standing = standingIn(fleet.roster, agent);
  if (standing === "elsewhere" || fleet.server === null) return false;
  if (running.has(team)) {
    const pane = fleet.panes.find((each) => each.agent?.id === agent.id);
    return teams.has(team) && (pane === undefined || pane.process === null);
  }
  return (only === null || only === team) && !isRestorable(facts, team) && !stored.isBlind();
}
