// Which of the panes that stand in a window is which saved one. Pure.
//
// [LM1] A pane that is known to be a saved one is that one, wherever it stands; the others take what is left in the
//       window, in order, but for those that are known to be none of them.

import type { PaneId } from "../names/gates.js";
import type { LayoutWindow } from "../stores/layout-text.js";

/** A saved pane's place: `window.pane` with the indices of the layout. */
export type Place = `${number}.${number}`;

export function placeOf(window: number, pane: number): Place {
  return `${window}.${pane}`;
}

/** `standing` in the order of the panes; saved panes that have none are not in the answer. */
export function matchPanes(
  { window, panes }: LayoutWindow,
  standing: readonly PaneId[],
  known: ReadonlyMap<Place, PaneId> = new Map(),
  strangers: ReadonlySet<PaneId> = new Set(),
): Map<Place, PaneId> {
  const claimed = new Set([...known.values(), ...strangers]);
  const free = standing.filter((id) => !claimed.has(id));
  const found = new Map<Place, PaneId>();
  for (const { pane } of panes) {
    const place = placeOf(window, pane);
    const id = known.get(place) ?? free.shift();
    if (id !== undefined) found.set(place, id);
  }
  return found;
}
