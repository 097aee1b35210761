// Ends an agent for good.
//
// [TKI1] Its process is gone before its rows are: whenever we are killed, no agent runs that nobody knows.
// [TKI2] Its pane goes by its id, after its mark: a pane that takes over the address keeps its own.
// [TKI3] What waited for it is kept in dead/, and said.
// [TKI4] Rows, hold and messages of one for whom its place is kept stay as they are; only what was for this very pane is
//        kept in dead/.

import { rowAddress } from "../fleet/find-pane.js";
import { storedRows } from "../fleet/moves.js";
import type { FleetPane } from "../fleet/panes.js";
import type { PaneAddress, TeamName } from "../names/gates.js";
import { rowWriter } from "../stores/row-writer.js";
import { isTmuxError } from "../tmux/error.js";
import { killPane } from "../tmux/pane.js";
import { endAgent } from "./end.js";
import { forgetGone, whoseRows } from "./kept.js";
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
  await world.followMoves(team);
  const seen = await world.panes();
  const address = rowAddress(seen.panes.find(({ id }) => id === named.id) ?? named, tmux.server);
  await endAgent(world, named);
  await forgetGone(world, seen, address);
  const waiting = () => stores.queues.read(address).messages.map(({ id }) => id);
  const waited = waiting();
  if (whoseRows(seen, storedRows(stores), address) === "awaited") {
    // It was ended, and nothing that the stores have follows from that.
    await stores.events.log([{ name: "agent.killed", pane: address }]);
    await rowWriter(stores).buryOwn(named.id, seen);
  } else await world.emit({ name: "agent.killed", pane: address });
  const left = new Set(waiting());
  const buried = waited.filter((id) => !left.has(id)).length;
  try {
    await killPane(tmux, named.id);
  } catch (error) {
    // A pane without remain-on-exit went with its program.
    if (!isTmuxError(error, "no-target") && !isTmuxError(error, "no-server")) throw error;
  }
  const after = await world.followMoves(team);
  return { address, buried, isLast: !after.panes.some(({ sessionName }) => sessionName === team) };
}
