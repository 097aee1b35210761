// The difference of two looks at the fleet, and the fleet that it makes of the earlier one. Pure: the page applies it.
//
// [WD1] `applyDelta(before, fleetDelta(before, after))` equals `after`.
// [WD2] An agent that did not change stays the same value, so that the page draws nothing for it.

import type { AgentView, TeamView } from "../fleet/view.js";
import type { FleetView } from "../hive/view-fleet.js";
import type { AgentKey, FleetDelta, TeamFrame } from "./contract.js";

/** How an agent is known while it moves between panes. */
export function agentKey({ agent, paneId, pane }: Pick<AgentView, "agent" | "paneId" | "pane">): AgentKey {
  return agent === null ? (paneId ?? pane) : `@${agent}`;
}

/** Null if nothing changed. */
export function fleetDelta(before: FleetView, after: FleetView): FleetDelta | null {
  const [old, now] = [agentsOf(before), agentsOf(after)];
  const changed = [...now].filter(([key, agent]) => !isEqual(old.get(key), agent));
  const [oldTeams, teams] = [framesOf(before), framesOf(after)];
  const delta: FleetDelta = {
    ...(isEqual(oldTeams, teams) ? {} : { teams }),
    ...(changed.length === 0 ? {} : { agents: Object.fromEntries(changed) }),
    ...(isEqual(before.background, after.background) ? {} : { background: after.background }),
  };
  return Object.keys(delta).length === 0 ? null : delta;
}

export function applyDelta(before: FleetView, delta: FleetDelta): FleetView {
  const agents = agentsOf(before);
  for (const [key, agent] of Object.entries(delta.agents ?? {})) agents.set(key, agent);
  const teams = (delta.teams ?? framesOf(before)).map(
    (frame): TeamView => ({ ...frame, agents: frame.agents.flatMap((key) => agents.get(key) ?? []) }),
  );
  return { teams, background: [...(delta.background ?? before.background)] };
}

/** By key. Two rows of one key get a number: the delta must not mix them up. */
function agentsOf({ teams }: FleetView): Map<AgentKey, AgentView> {
  const agents = new Map<AgentKey, AgentView>();
  eachAgent(teams, (key, agent) => agents.set(key, agent));
  return agents;
}

function framesOf({ teams }: FleetView): TeamFrame[] {
  const keys = new Map<TeamView, AgentKey[]>(teams.map((team) => [team, []]));
  eachAgent(teams, (key, _, team) => keys.get(team)!.push(key));
  return teams.map((team) => ({ ...team, agents: keys.get(team)! }));
}

function eachAgent(
  teams: readonly TeamView[],
  visit: (key: AgentKey, agent: AgentView, team: TeamView) => void,
): void {
  const seen = new Map<AgentKey, number>();
  for (const team of teams)
    for (const agent of team.agents) {
      const key = agentKey(agent);
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      visit(times === 1 ? key : `${key} ${times}`, agent, team);
    }
}

/** Of plain values, as JSON has them. */
function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key as keyof typeof a], b[key as keyof typeof b]))
  );
}
