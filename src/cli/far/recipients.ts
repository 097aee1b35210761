// Who gets a message that goes to many hosts, from what the hosts published. Pure.

import { isAgent } from "../../fleet/roster/role-of.js";
import type { FleetRead, HostState } from "../../link/read-fleet.js";
import type { FarAgent } from "../../link/rows.js";
import type { Host } from "../../names/gates.js";

export interface Meant {
  /** Null: every other host. */
  host: Host | null;
  /** Null: every team. */
  team: string | null;
}

export interface Recipient {
  host: Host;
  /** As its host finds it for sure: its id, else its pane. */
  to: string;
  role: string | null;
  pane: string | null;
}

export interface Recipients {
  agents: readonly Recipient[];
  /** All hosts that are meant. Agents of one that is not reached get nothing: nobody knows whether they still run. */
  hosts: readonly HostState[];
}

export function recipientsIn({ hosts, agents }: FleetRead, own: Host, { host, team }: Meant): Recipients {
  const meant = hosts.filter((each) => (host === null ? each.host !== own : each.host === host));
  const reached = new Set(meant.filter(({ isReached }) => isReached).map((each) => each.host));
  const isMeant = (agent: FarAgent) => reached.has(agent.host) && (team === null || agent.team === team);
  return { hosts: meant, agents: agents.filter((agent) => isMeant(agent)).flatMap(recipientOf) };
}

/** Whether any host has a team of this name, as far as it is known. */
export function hasTeam({ agents }: Pick<FleetRead, "agents">, name: string): boolean {
  return agents.some(({ team }) => team === name);
}

function recipientOf({ host, agent, pane, role, kind, standing }: FarAgent): Recipient[] {
  const to = agent === null ? pane : `@${agent}`;
  const isRunning = standing === "present" && kind !== null && isAgent({ kind });
  return isRunning && to !== null ? [{ host, to, role, pane }] : [];
}
