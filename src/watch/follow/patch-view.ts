// The last look with what some agents reported since. Pure.
//
// - Everything that did not change stays the same value.
// - An agent that does something else no longer waits for what it waited for. What it waits for now, only a look shows:
//   a person must be able to read it before they answer.

import type { Reread } from "../../fleet/activity/reread.js";
import type { AgentView } from "../../fleet/view.js";
import type { Attention } from "../../hive/attention.js";
import type { FleetView } from "../../hive/view-fleet.js";

/** By pane. */
export type Patches = ReadonlyMap<string, Reread>;

export function patchedFleet(fleet: FleetView, patches: Patches): FleetView {
  const teams = fleet.teams.map((team) =>
    team.agents.some((agent) => patchOf(agent, patches) !== null)
      ? { ...team, agents: team.agents.map((agent) => patchedAgent(agent, patchOf(agent, patches))) }
      : team,
  );
  return { ...fleet, teams };
}

export function patchedAttention(attention: readonly Attention[], patches: Patches): readonly Attention[] {
  const isOver = ({ kind, paneId }: Attention) =>
    (kind === "dialog" || kind === "limited" || kind === "error") && paneId !== null && patches.has(paneId);
  return attention.some(isOver) ? attention.filter((item) => !isOver(item)) : attention;
}

function patchOf({ paneId }: AgentView, patches: Patches): Reread | null {
  return (paneId !== null && patches.get(paneId)) || null;
}

function patchedAgent(agent: AgentView, patch: Reread | null): AgentView {
  return patch === null ? agent : { ...agent, ...patch };
}
