// Where messages find their panes, and the places at which they wait for who is brought back. Pure.
//
// [HMS1] A row that was written after the look is nobody's who is awaited: its pane may not have been there to be seen.

import { addressParts, type PaneAddress } from "../names/gates.js";
import type { KeptPlaces } from "../stores/queue-homes.js";
import type { TmuxPane } from "../tmux/listing.js";
import type { Rows } from "./gone.js";
import type { Panes } from "./panes.js";
import { keptPlaces } from "./resolve.js";
import { homesIn } from "./shifts.js";

/** `rows` are S1 and S2, as they are stored. */
export function homesNow(seen: Panes, rows: Rows): KeptPlaces {
  return { ...homesIn(seen), kept: keptSince(seen, rows) };
}

export function keptSince(seen: Panes, rows: Rows, nowMs = Date.now()): KeptPlaces["kept"] {
  const isLater = (ms: number) => seen.takenAtMs < ms && ms <= nowMs;
  const later = new Set(
    rows.roles.flatMap(({ pane, epoch }) => (epoch !== null && isLater(epoch * 1000) ? pane : [])),
  );
  return since(
    [...keptPlaces(seen, rows).keys()].filter((place) => !later.has(place)),
    seen.panes,
  );
}

/** By the tmux session of each place; where none stands, nobody else could be meant there. */
export function since(
  places: Iterable<PaneAddress>,
  panes: readonly Pick<TmuxPane, "sessionName" | "sessionCreatedMs">[],
): KeptPlaces["kept"] {
  const created = new Map(panes.map(({ sessionName, sessionCreatedMs }) => [sessionName, sessionCreatedMs]));
  const sinceMs = (place: PaneAddress) => created.get(addressParts(place).team) ?? Number.POSITIVE_INFINITY;
  return new Map([...places].map((place) => [place, sinceMs(place)]));
}
