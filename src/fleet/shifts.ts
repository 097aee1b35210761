// What moved since the stores were last right, told by the marks that panes carry.
//
// [SH1] A pane that stands elsewhere than its mark says has shifted from there; nothing else is ever re-keyed.
// [SH2] A team whose marked panes all stand in one other tmux session, while no tmux session has its name, was renamed.
//       So was one that lost panes to teams that marks know, while the one other tmux session they stand in has a pane
//       of it at its old window and number. Of two that could have got one name, it is the one with such a pane.
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
  const known = new Set(
    panes.flatMap(({ mark }) => (mark === null ? [] : [addressParts(mark.address).team])),
  );
  const gone = new Set([...moved.keys()].map((from) => addressParts(from).team));
  const likely = [...gone]
    .filter((from) => !running.has(from))
    .flatMap((from) => {
      const moves = [...moved].filter(([address]) => addressParts(address).team === from);
      const all = new Set(moves.map(([, to]) => addressParts(to).team));
      const [to, ...others] = all.size === 1 ? all : [...all].filter((team) => !known.has(team));
      if (to === undefined || others.length > 0) return [];
      const hasKept = moves.some((move) => isSamePlace(move) && addressParts(move[1]).team === to);
      return all.size === 1 || hasKept ? [{ from, to, hasKept }] : [];
    });
  return likely.flatMap(({ from, to, hasKept }) => {
    const rivals = likely.filter((other) => other.to === to && other.from !== from);
    const isOnly = rivals.length === 0 || (hasKept && !rivals.some((other) => other.hasKept));
    return isOnly ? [{ from, to }] : [];
  });
}

/** In another tmux session, and there where it was before. */
function isSamePlace([from, to]: readonly [PaneAddress, PaneAddress]): boolean {
  const [before, after] = [addressParts(from), addressParts(to)];
  return before.window === after.window && before.pane === after.pane;
}
