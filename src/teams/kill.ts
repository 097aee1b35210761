// Ends an agent and closes its pane. The agent is away afterwards and keeps its role, session and messages.
//
// - Its process ends before its pane closes: if we are killed in between, no unknown agent runs.
// - If the agent is forgotten too, its queued messages are kept in dead/.

import { rowAddress } from "../fleet/find-pane.js";
import type { FleetPane } from "../fleet/panes.js";
import type { PaneAddress } from "../names/gates.js";
import { isTmuxError } from "../tmux/error.js";
import { killPane } from "../tmux/pane.js";
import { endAgent } from "./start/end.js";
import type { TeamWorld } from "./world.js";

export interface Killed {
  address: PaneAddress;
  /** Messages queued for it, or moved to dead/ if it was forgotten. */
  waiting: number;
  /** It was the last pane, so the tmux session ended too. */
  isLast: boolean;
}

export async function killAgent(
  world: TeamWorld,
  pane: FleetPane,
  { isForgotten }: { isForgotten: boolean },
): Promise<Killed> {
  const { stores, tmux } = world;
  const address = rowAddress(pane, tmux.server);
  await endAgent(world, pane);
  try {
    await killPane(tmux, pane.id);
  } catch (error) {
    // A pane without remain-on-exit closes when its program ends.
    if (!isTmuxError(error, "no-target") && !isTmuxError(error, "no-server")) throw error;
  }
  const agent = pane.agent?.id;
  const waiting = agent === undefined ? 0 : stores.queues.read(agent).messages.length;
  const after = await world.change(({ agents }) => ({
    agents: isForgotten ? agents.filter(({ id }) => id !== agent) : agents,
    asked: new Set(agent === undefined ? [] : [agent]),
  }));
  // The roster emits no event for an agent that it does not know.
  if (agent === undefined && pane.process !== null)
    await world.emit({ name: "agent.killed", pane: address, cause: "asked" });
  return {
    address,
    waiting,
    isLast: !after.panes.some(({ sessionName }) => sessionName === pane.sessionName),
  };
}
