// Matches the panes of a running team with saved ones, and tells whether an agent may be started in a pane. Pure.
//
// - A pane belongs to the row with its session, else to the row with its agent's role, also after panes were closed.
// - The other panes of a window belong to its other rows in order, whatever number tmux counts from. Shells go to
//   rows of shells first.
// - A shell that `layout restore` made for a saved pane belongs to the row of that pane.
// - A pane is free if it is dead, or if a run that did not finish keeps it open for an agent.

import type { FleetPane } from "../../fleet/panes.js";
import { isAgent } from "../../fleet/roster/role-of.js";
import { matchPanes, type Place, placeOf } from "../../layout/match.js";
import type { PaneId, SessionId } from "../../names/gates.js";
import type { Layout } from "../../stores/text/layout-text.js";
import type { SnapshotRow } from "../../stores/text/snapshot-text.js";
import { placeholder } from "../../tmux/program.js";

/** `panes` are the panes of the team. Missing saved panes are not in the result. */
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
  // Running agents first: a dead pane may hold a session that was opened elsewhere since.
  claim(agents, (pane, { uuid }) => isAgent(pane) && uuid !== null && sessionOf(pane) === uuid);
  const hasEnded = (pane: FleetPane) => isFreePane(pane) && (pane.dead || pane.agent !== null);
  claim(agents, (pane, { uuid }) => hasEnded(pane) && uuid !== null && sessionOf(pane) === uuid);
  claim(agents, ({ agent }, { role }) => role !== null && agent?.role === role);
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

/** The start command as tmux prints it. */
const keptOpen = new RegExp(
  `^env (?:"PATH=[^"]*" |PATH=\\S* )?(?:HIVEMIND_ROLE=\\S+ )?${placeholder.join(" ")}$`,
);
