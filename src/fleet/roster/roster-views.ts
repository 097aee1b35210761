// S1 and S2 as the roster has them, for programs that read hiveMind's files. Pure.
//
// - An agent with a seat and a role has a row at its address: its role in S1, its session in S2.
// - The agents of a team that does not run have their rows at their last addresses.
// - If two agents have one address, the one seated later has the row.
// - An away agent of a running team has no row: another pane may have its address.

import type { AgentId } from "../../names/agent-id.js";
import type { PaneAddress } from "../../names/gates.js";
import type { Views } from "../../stores/roster.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";

/**
 * `agents` must be settled: an away agent has no seat. `running` are the names of the tmux sessions on this server.
 */
export function viewsOf(agents: readonly AgentRow[], running: ReadonlySet<string>): Views {
  const shown = [...placesOf(agents, running)].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    roles: shown.flatMap(([pane, { role, epoch }]) => (role === null ? [] : [{ pane, role, epoch }])),
    sessions: shown.flatMap(([pane, { role, session }]) =>
      role === null || session === null ? [] : [{ pane, uuid: session }],
    ),
  };
}

/** The owner of each address: the agent that sits there, else one of a team that does not run. */
export function ownersOf(
  agents: readonly AgentRow[],
  running: ReadonlySet<string>,
): ReadonlyMap<PaneAddress, AgentId> {
  return new Map([...placesOf(agents, running)].map(([address, { id }]) => [address, id]));
}

/** The agent that sits at each address. */
export function seatsOf(agents: readonly AgentRow[]): ReadonlyMap<PaneAddress, AgentId> {
  const seated = agents.filter(({ seat }) => seat !== null);
  return new Map(seated.flatMap(({ address, id }) => (address === null ? [] : [[address, id]])));
}

/** The away agent that was last at each address; of two, the one seated later. */
export function lastOwnersOf(agents: readonly AgentRow[]): ReadonlyMap<PaneAddress, AgentId> {
  const away = agents.filter(({ seat }) => seat === null).toSorted((a, b) => a.epoch - b.epoch);
  return new Map(away.flatMap(({ address, id }) => (address === null ? [] : [[address, id]])));
}

function placesOf(
  agents: readonly AgentRow[],
  running: ReadonlySet<string>,
): ReadonlyMap<PaneAddress, AgentRow> {
  const seated = agents.filter(({ seat }) => seat !== null);
  const teamsUp = new Set<string>([...running, ...seated.map(({ team }) => team)]);
  const resting = agents.filter(({ seat, team }) => seat === null && !teamsUp.has(team));
  const places = new Map<PaneAddress, AgentRow>();
  for (const agent of [...resting, ...seated].toSorted((a, b) => a.epoch - b.epoch))
    if (agent.address !== null) places.set(agent.address, agent);
  return places;
}
