// Finds the one pane that has a role. Pure. The match is exact; otherwise the error lists the roles that exist.
//
// [RN1] A role is compared exactly. The only pane that has it is the answer.
// [RN2] If several teams have the role, the one in the caller's own tmux session counts; otherwise it is an error.
// [RN3] If a team is given, only that team is searched.
// [RN4] If the agent is away, the error names the command that restarts it. No other agent is returned for it.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import type { Role } from "../names/gates.js";
import type { AgentRow } from "../stores/text/roster-rows.js";
import type { FleetPane, Panes } from "./panes.js";
import { standingIn } from "./roster/roster.js";
import { runningTeam } from "./which-team.js";

export interface ResolveContext {
  /** The pane the caller sits in. */
  own: FleetPane | null;
  /** Search only this team. */
  team?: string | undefined;
}

export function roleOf({ agent }: Pick<FleetPane, "agent">): Role | null {
  return agent?.role ?? null;
}

export function resolveRole(fleet: Panes, role: Role, { own, team }: ResolveContext): FleetPane {
  const inScope = fleet.panes.filter(({ sessionName }) => team === undefined || sessionName === team);
  const found = inScope.filter((pane) => roleOf(pane) === role);
  const beside = found.filter(({ sessionName }) => sessionName === own?.sessionName);
  const choice = found.length > 1 && beside.length > 0 ? beside : found;
  const [only, ...others] = choice;
  if (others.length > 0) throw several(role, choice);
  if (only !== undefined) return only;
  const absent = fleet.roster.agents.find(
    (agent) => agent.role === role && (team === undefined || agent.team === team),
  );
  if (absent !== undefined) throw agentNotPresent(fleet, absent);
  if (team !== undefined) runningTeam(fleet, team);
  const there = [...new Set(inScope.flatMap((pane) => roleOf(pane) ?? []))].sort();
  throw new HiveError(`no agent ${team === undefined ? "" : `in ${harmless(team)} `}has the role "${role}"`, {
    hint: there.length > 0 ? `roles: ${there.join(", ")}` : "list the agents: hivemind status",
  });
}

/** The error for an agent that has no pane on this server. */
export function agentNotPresent(fleet: Pick<Panes, "roster">, agent: AgentRow): HiveError {
  const name = agent.role ?? `@${agent.id}`;
  if (standingIn(fleet.roster, agent) === "elsewhere")
    return new HiveError(`${name} of ${agent.team} runs on another tmux server`, {
      hint: `it is at ${agent.address ?? agent.seat!.pane} there: tmux -S ${harmless(agent.seat!.server.socket)}`,
    });
  return new HiveError(`${name} of ${agent.team} is away`, {
    hint: `restart it: hivemind agent restart @${agent.id}`,
  });
}

function several(role: Role, panes: readonly FleetPane[]): HiveError {
  const places = panes.map(({ address }) => harmless(address)).join(", ");
  const isOneTeam = new Set(panes.map(({ sessionName }) => sessionName)).size === 1;
  return new HiveError(`several agents have the role "${role}": ${places}`, {
    hint: isOneTeam ? "name the pane instead" : `name the team (hivemind resolve ${role} TEAM) or the pane`,
  });
}
