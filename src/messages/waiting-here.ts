// What waits at a place, and for whom: who stands there, or who is brought back to it.

import { homesNow } from "../fleet/homes.js";
import { storedRows } from "../fleet/moves.js";
import type { Panes } from "../fleet/panes.js";
import type { PaneAddress } from "../names/gates.js";
import { isForAwaited } from "../stores/queue-homes.js";
import type { MessageId } from "../stores/queue-rows.js";
import type { Message } from "../stores/queues.js";
import { ownersOf, type Receipt } from "../stores/receipts.js";
import type { Stores } from "../stores/stores.js";

export interface WaitingHere {
  /** In the order in which they are said. */
  forPane: readonly Message[];
  forAwaited: readonly Message[];
  /** Read behind the messages: who queued one writes that down afterwards. */
  noted: readonly Receipt[];
}

export function waitingHere(stores: Stores, seen: Panes, pane: PaneAddress): WaitingHere {
  const { messages } = stores.queues.read(pane);
  const noted = stores.receipts.read().rows;
  const places = homesNow(seen, storedRows(stores));
  if (!places.kept.has(pane)) return { forPane: messages, forAwaited: [], noted };
  const owners = ownersOf(noted);
  const isAwaited = (each: Message) => isForAwaited(each, owners.get(each.id), places);
  return {
    forPane: messages.filter((each) => !isAwaited(each)),
    forAwaited: messages.filter(isAwaited),
    noted,
  };
}

/** 1 is the next to be said to who stands there; null when it does not wait. */
export function positionIn({ forPane }: Pick<WaitingHere, "forPane">, id: MessageId): number | null {
  const at = forPane.findIndex((each) => each.id === id);
  return at < 0 ? null : at + 1;
}
