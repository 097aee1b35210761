// Chooses the place of a new pane in a team. Pure.
//
// - It goes behind the last pane of a window, so that no other address changes.
// - It goes into the first window in which all panes, tiled, are still large enough to read, else into a new window.
// - A zoomed window is left alone.

import type { FleetPane } from "../fleet/panes.js";
import { limits } from "../limits.js";

export type NewPlace = { how: "split"; behind: FleetPane } | { how: "window" };

export function placeFor(panes: readonly FleetPane[]): NewPlace {
  const windows = [...new Set(panes.map(({ windowIndex }) => windowIndex))].sort((a, b) => a - b);
  for (const window of windows) {
    const own = panes.filter(({ windowIndex }) => windowIndex === window);
    const last = own.reduce((a, b) => (b.paneIndex > a.paneIndex ? b : a));
    if (!last.windowZoomed && isRoomy(last, own.length + 1)) return { how: "split", behind: last };
  }
  return { how: "window" };
}

/** Tiles like tmux: rows and columns grow in turn until every pane fits. */
function isRoomy({ windowWidth, windowHeight }: FleetPane, count: number): boolean {
  let [rows, columns] = [1, 1];
  while (rows * columns < count) {
    rows += 1;
    if (rows * columns < count) columns += 1;
  }
  const width = Math.floor((windowWidth - (columns - 1)) / columns);
  const height = Math.floor((windowHeight - (rows - 1)) / rows);
  return width >= limits.spawnColumns && height >= limits.spawnRows;
}
