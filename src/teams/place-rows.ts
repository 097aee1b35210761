// Which pane of a running team is which saved one, and whether an agent may be started in it. Pure.
//
// [PW1] A pane belongs to the row whose session it has, else whose role it carries, also after panes were closed. One that
//       was only kept open had no session: what is told of it is of who stood at its address before.
// [PW2] The other panes of a window belong to its other rows in order, whatever tmux counts panes from: first those
//       in which a shell runs to rows of shells.
//       A shell that `layout restore` made for a saved pane belongs to the row of that pane.
// [PW3] A pane is free when it is dead, or was kept open for an agent by a run that did not get to it.

import type { FleetPane } from "../fleet/panes.js";
import { isAgent } from "../fleet/role-of.js";
import { matchPanes, type Place, placeOf } from "../layout/match.js";
import type { PaneId, SessionId } from "../names/gates.js";
import type { Layout } from "../stores/layout-text.js";
import type { SnapshotRow } from "../stores/snapshot-text.js";
import { placeholder } from "../tmux/program.js";

/** `panes` are those of the team. Saved panes that are not there are not in the answer. */
export function placeRows(
  { windows }: Layout,
  rows: readonly SnapshotRow[],
  panes: readonly FleetPane[],
  sessionOf: (pane: FleetPane) => SessionId | null,
  madeShells: ReadonlyMap<PaneId, Place> = new Map(),
): Map<Place, PaneId> {
  const known = new Map<Place, PaneId>();
  const isFree = ({ id }: FleetPane) => ![...known.values()].includes(id);
  const claim = (wanted: readonly SnapshotRow[], fits: (pane: FleetPane, row: SnapshotRow) => boolean) => {
    for (const row of wanted) {
      const place = placeOf(row.window, row.pane);
      const its = known.has(place) ? undefined : panes.find((pane) => isFree(pane) && fits(pane, row));
      if (its !== undefined) known.set(place, its.id);
    }
  };
  const agents = rows.filter(isAgent);
  // What runs comes first: a dead pane may remember a session that was opened elsewhere since, and a shell the one
  // of an agent whose address it has now.
  claim(agents, (pane, { uuid }) => isAgent(pane) && uuid !== null && sessionOf(pane) === uuid);
  const hasEnded = (pane: FleetPane) => isFreePane(pane) && (pane.dead || pane.mark !== null);
  claim(agents, (pane, { uuid }) => hasEnded(pane) && uuid !== null && sessionOf(pane) === uuid);
  claim(agents, ({ mark }, { role }) => role !== null && mark?.role === role);
  claim(rows, ({ id }, { window, pane }) => madeShells.get(id) === placeOf(window, pane));
  const standing = [...panes].sort((a, b) => a.paneIndex - b.paneIndex);
  for (const row of rows.filter((each) => !isAgent(each))) {
    const isIts = (pane: FleetPane) =>
      pane.windowIndex === row.window &&
      isFree(pane) &&
      !isAgent(pane) &&
      !isFreePane(pane) &&
      !madeShells.has(pane.id);
    const place = placeOf(row.window, row.pane);
    const its = known.has(place) ? undefined : standing.find(isIts);
    if (its !== undefined) known.set(place, its.id);
  }

  const places = new Map(known);
  for (const window of windows) {
    const ids = standing.filter(({ windowIndex }) => windowIndex === window.window).map(({ id }) => id);
    for (const [place, id] of matchPanes(window, ids, known)) places.set(place, id);
  }
  return places;
}

export function isFreePane({ dead, startCommand }: Pick<FleetPane, "dead" | "startCommand">): boolean {
  return dead || keptOpen.test(startCommand);
}

/** As tmux prints what it was told to start. */
const keptOpen = new RegExp(
  `^env (?:"PATH=[^"]*" |PATH=\\S* )?(?:HIVEMIND_ROLE=\\S+ )?${placeholder.join(" ")}$`,
);
