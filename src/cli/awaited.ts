// Messages that wait at a place for who is brought back to it, as they are told.

import type { Rows } from "../fleet/gone.js";
import type { Panes } from "../fleet/panes.js";
import { keptPlaces } from "../fleet/resolve.js";
import { addressParts, type PaneAddress, type Role } from "../names/gates.js";
import { wayBack } from "../teams/kept.js";

export interface AwaitedAgent {
  role: Role;
  /** What to type, and when. */
  wayBack: string;
}

export function awaitedAgents(seen: Panes, rows: Rows): ReadonlyMap<PaneAddress, AwaitedAgent> {
  const kept = [...keptPlaces(seen, rows)];
  return new Map(kept.map(([pane, role]) => [pane, { role, wayBack: wayTo(seen, pane) }]));
}

/** Where others of its team run, nobody can be brought back to a pane that somebody else is in. */
function wayTo(seen: Panes, place: PaneAddress): string {
  const { team } = addressParts(place);
  const isTaken = seen.panes.some(({ address, dead }) => address === place && !dead);
  const isRunning = seen.panes.some(({ sessionName, mark }) => sessionName === team && mark !== null);
  return `${isTaken && isRunning ? `once ${place} is free: ` : ""}${wayBack(seen, team)}`;
}
