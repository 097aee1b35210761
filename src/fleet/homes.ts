// Where messages find their panes, and the places at which they wait for who is brought back. Pure.

import { addressParts, type PaneAddress } from "../names/gates.js";
import type { KeptPlaces } from "../stores/queue-homes.js";
import type { TmuxPane } from "../tmux/listing.js";
import type { Rows } from "./gone.js";
import type { Panes } from "./panes.js";
import { keptPlaces } from "./resolve.js";
import { homesIn } from "./shifts.js";

/** `rows` are S1 and S2, as they are stored. */
export function homesNow(seen: Panes, rows: Rows): KeptPlaces {
  return { ...homesIn(seen), takenAtMs: seen.takenAtMs, kept: keptSince(seen, rows) };
}

export function keptSince(seen: Panes, rows: Rows): KeptPlaces["kept"] {
  return since(keptPlaces(seen, rows).keys(), seen.panes);
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
