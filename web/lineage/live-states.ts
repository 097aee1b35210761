// What the agents of the fleet do now, by session. Reads signals.

import type { AgentKey } from "../../src/web/contract.js";
import { agentSignal, background, teams } from "../fleet/fleet.js";

export interface LiveState {
  activity: string | null;
  /** Null for a conversation in the background: it has no agent page. */
  key: AgentKey | null;
}

export function liveStates(): Map<string, LiveState> {
  const states = new Map<string, LiveState>();
  for (const { uuid, activity } of background.value) states.set(uuid, { activity, key: null });
  for (const { agents } of teams.value ?? []) {
    for (const key of agents) {
      const agent = agentSignal(key)?.value;
      if (agent === undefined || agent.uuid === null) continue;
      const isPresent = agent.standing === "present" || agent.paneId !== null;
      if (isPresent || !states.has(agent.uuid)) states.set(agent.uuid, { activity: agent.activity, key });
    }
  }
  return states;
}
