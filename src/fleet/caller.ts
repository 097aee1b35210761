// Which agent runs this command, if one does.
//
// [CAL1] The caller is the nearest process above this one that is an agent's own. Variables prove nothing.
// [CAL2] A person who runs a command beside an agent, in the same pane or another, is no agent.

import { fromItUp } from "../processes/above.js";
import type { ProcessReader } from "../processes/process.js";
import type { FleetPane, Panes } from "./panes.js";

export interface CallingAgent {
  /** Null for one that runs in the background, or outside this tmux server. */
  pane: FleetPane | null;
}

export function callingAgent(
  { panes, clients }: Pick<Panes, "panes" | "clients">,
  pid: number,
  processes: Pick<ProcessReader, "findProcess">,
): CallingAgent | null {
  const inPanes = new Map(panes.flatMap((pane) => (pane.process === null ? [] : [[pane.process.pid, pane]])));
  const elsewhere = new Set(clients.map(({ process }) => process.pid));
  for (const above of fromItUp(pid, processes)) {
    const pane = inPanes.get(above.pid);
    if (pane !== undefined) return { pane };
    if (elsewhere.has(above.pid)) return { pane: null };
  }
  return null;
}
