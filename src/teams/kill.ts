// Ends an agent for good.
//
// [TKI1] Its process is gone before its rows are: whenever we are killed, no agent runs that nobody knows.
// [TKI2] Its pane goes by its id, after its mark: a pane that takes over the address keeps its own.
// [TKI3] What waited for it is kept in dead/, and said.

import { rowAddress } from "../fleet/find-pane.js";
import type { FleetPane } from "../fleet/panes.js";
import type { PaneAddress, TeamName } from "../names/gates.js";
import { isTmuxError } from "../tmux/error.js";
import { killPane } from "../tmux/pane.js";
import { endAgent } from "./end.js";
import type { TeamWorld } from "./world.js";

export interface Killed {
  address: PaneAddress;
  /** Messages that waited for it. */
  buried: number;
  /** It was the last pane: the tmux session went with it. */
  isLast: boolean;
}

export async function killAgent(world: TeamWorld, named: FleetPane): Promise<Killed> {
  const { stores, tmux } = world;
  const team = named.sessionName as TeamName;
  const { panes } = await world.followMoves(team);
  const address = rowAddress(panes.find(({ id }) => id === named.id) ?? named);
  await endAgent(world, named);
  const buried = stores.queues.read(address).messages.length;
  await world.emit({ name: "agent.killed", pane: address });
  try {
    await killPane(tmux, named.id);
  } catch (error) {
    // A pane without remain-on-exit went with its program.
    if (!isTmuxError(error, "no-target") && !isTmuxError(error, "no-server")) throw error;
  }
  const left = await world.followMoves(team);
  return { address, buried, isLast: !left.panes.some(({ sessionName }) => sessionName === team) };
}
