// Where in a team a new pane goes. Pure.
//
// [TPL1] Behind the last pane of a window, so that no other pane's address changes.
// [TPL2] Into the first window in which all panes, tiled, are still large enough to be read; else into a new one.
// [TPL3] A window that somebody zoomed is left as it is.

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

/** As tmux tiles: rows and columns grow in turn, until all have a place. */
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
