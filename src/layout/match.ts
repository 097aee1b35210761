// Matches the panes in a window with saved panes.
//
// - A shell that `layout restore` made for a saved pane has that pane's place in a pane option, `<pane id>|<place>`.
//   An option with another pane's id is ignored: formats inherit options from window, session and server.
// - A pane that is known to be a saved one is that one, wherever it is. The other saved panes take the remaining
//   panes of the window in order, except panes that are known to be none of them.

import type { PaneId } from "../names/gates.js";
import type { LayoutWindow } from "../stores/text/layout-text.js";
import type { TmuxPane } from "../tmux/listing.js";
import { setPaneOption } from "../tmux/pane.js";
import type { Tmux } from "../tmux/tmux.js";

/** A saved pane's place: `window.pane` with the indices of the layout. */
export type Place = `${number}.${number}`;

export function placeOf(window: number, pane: number): Place {
  return `${window}.${pane}`;
}

/** `standing` in the order of the panes. Saved panes without a match are not in the result. */
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

export async function noteMadeShell(tmux: Tmux, pane: PaneId, place: Place): Promise<void> {
  await setPaneOption(tmux, pane, "@hivemind_shell", `${pane}|${place}`);
}

/** The saved pane that this shell was made for; null for any other pane, and after a program was started in it. */
export function madeFor({ id, shell, startCommand }: TmuxPane): Place | null {
  const [pane, place = ""] = shell.split("|");
  const isMade = pane === id && startCommand === "" && /^\d{1,5}\.\d{1,5}$/.test(place);
  return isMade ? (place as Place) : null;
}
