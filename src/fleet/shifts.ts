// What moved since the stores were last right, told by the marks that panes carry.
//
// [SH1] A pane that stands elsewhere than its mark says has shifted from there; nothing else is ever re-keyed.
// [SH2] A team whose marked panes all stand in one other tmux session, while no tmux session has its name, was renamed.
// [SH3] Of two panes that claim one old address, neither is believed.

import { addressParts, isTeamName, type PaneAddress, type TeamName } from "../names/gates.js";
import type { Mark } from "./mark.js";

export interface MarkedPane {
  address: string;
  sessionName: string;
  mark: Mark | null;
}

export interface Shifts {
  /** Old address → where that pane stands now. Applied at once: a swap is two entries. */
  moved: ReadonlyMap<PaneAddress, PaneAddress>;
  renamedTeams: readonly { from: TeamName; to: TeamName }[];
}

export function findShifts(panes: readonly MarkedPane[]): Shifts {
  const claims = new Map<PaneAddress, PaneAddress | null>();
  for (const { address, sessionName, mark } of panes) {
    // A pane in a tmux session whose name no row can hold keeps its old key until it comes back.
    if (mark === null || !isTeamName(sessionName)) continue;
    claims.set(mark.address, claims.has(mark.address) ? null : (address as PaneAddress));
  }
  const moved = new Map<PaneAddress, PaneAddress>();
  for (const [from, to] of claims) if (to !== null && to !== from) moved.set(from, to);
  return { moved, renamedTeams: renamedTeams(panes, moved) };
}

function renamedTeams(
  panes: readonly MarkedPane[],
  moved: ReadonlyMap<PaneAddress, PaneAddress>,
): Shifts["renamedTeams"] {
  const running = new Set(panes.map(({ sessionName }) => sessionName));
  const destinations = new Map<TeamName, Set<TeamName>>();
  for (const [from, to] of moved) {
    const team = addressParts(from).team;
    destinations.set(team, (destinations.get(team) ?? new Set()).add(addressParts(to).team));
  }
  return [...destinations]
    .filter(([from, targets]) => targets.size === 1 && !running.has(from))
    .map(([from, targets]) => ({ from, to: [...targets][0]! }));
}
