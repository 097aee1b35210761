// Rows follow their pane when it stands somewhere else.
//
// [RK1] All moves happen at once: a swap or a ring of panes collapses nothing.
// [RK2] A row at an address that another pane moved to is dropped: its own pane is not there any more.
// [RK3] Rows of panes that did not move stay as they are.

import { addressOf, addressParts, type PaneAddress, type TeamName } from "../names/gates.js";

/** Where each pane that moved stood, and where it stands. */
export type Moves = ReadonlyMap<PaneAddress, PaneAddress>;

/** The same array when nothing is concerned, so that an update writes nothing. */
export function rekeyRows<Row extends { pane: PaneAddress }>(
  rows: readonly Row[],
  moves: Moves,
): readonly Row[] {
  const targets = new Set(moves.values());
  if (!rows.some(({ pane }) => moves.has(pane) || targets.has(pane))) return rows;
  return rows.flatMap((row) => {
    const to = moves.get(row.pane);
    if (to !== undefined) return to === row.pane ? [row] : [{ ...row, pane: to }];
    return targets.has(row.pane) ? [] : [row];
  });
}

/** The moves that a renamed team means for these panes. */
export function teamMoves(panes: Iterable<PaneAddress>, old: TeamName, renamed: TeamName): Moves {
  const moves = new Map<PaneAddress, PaneAddress>();
  for (const address of panes) {
    const { team, window, pane } = addressParts(address);
    if (team === old) moves.set(address, addressOf(renamed, window, pane));
  }
  return moves;
}
