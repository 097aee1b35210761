// What waits for one pane is said, first in first out, while its agent listens.
//
// [MN1] A message is typed at most once: a receipt says so before the first key, and whoever finds one that is open
//       asks the transcript, then enters what still stands in the box, and never types it again.
// [MN2] A message leaves its queue when its end is written down: accepted, or kept in `dead/` as expired, uncertain or
//       refused. Killed in between, the next drain finishes that.
// [MN3] One message is on its way at a time, under the queue's lock; between two the queue may move, and others may send.
// [MN4] What was queued for a pane that stands there no more is never said to the one that does: it goes to where its
//       pane stands, or is refused where that is gone, but for MN7.
// [MN5] A queue that has to follow its pane first is left alone; so is a message from before the tmux server, until its
//       team was brought back or the pane there is registered.
// [MN6] What a killed sender typed is waited for as long as a client may need, whatever the clock says, and longer
//       while the agent does not listen.
// [MN7] What waits at its place for who is brought back is passed over, and nothing becomes of it, whatever its age: who
//       stands there gets its own messages, in their order.

import { LockedError } from "../base/lock.js";
import { homesNow } from "../fleet/homes.js";
import { storedRows } from "../fleet/moves.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { limits } from "../limits.js";
import { addressParts, isPaneAddress, type PaneAddress } from "../names/gates.js";
import { ownerHere } from "../stores/queue-homes.js";
import { isExpired, type MessageId } from "../stores/queue-rows.js";
import type { Message } from "../stores/queues.js";
import { historyOf, ownersOf, receipt } from "../stores/receipts.js";
import { rowWriter } from "../stores/row-writer.js";
import { type Delivery, deliver } from "./deliver.js";
import { endedAs, type Fate, leave, takeOut } from "./fate.js";
import { whyUnfit } from "./fit.js";
import { keyOf, keyRefusal, pressKey } from "./press-key.js";
import { formatMark, type Mark } from "./proof.js";
import { seeIn } from "./see.js";
import { becomes, holderOf, type Patience, settle } from "./settle.js";
import { type Say, type Stance, stanceOf } from "./stance.js";
import { waitingHere } from "./waiting-here.js";
import type { MessageWorld } from "./world.js";

export interface Drained {
  /** The messages that left, in their order. */
  fates: Fate[];
  /** Why the next one was not said; null when none is left for who stands there. */
  stopped: Stance | null;
}

export interface DrainOptions {
  /** No further than this message. */
  upTo?: MessageId;
  /** For somebody else who drains: a `LockedError` behind that, if nothing was said until then. */
  waitMs?: number;
  /** How long a client gets to write down what a killed sender typed. */
  settleMs?: number;
  interrupted?: AbortSignal;
  /** A person wants the first message delivered although the agent's last turn failed. */
  isReleased?: boolean;
}

export async function drain(
  world: MessageWorld,
  pane: PaneAddress,
  { upTo, waitMs = 0, settleMs = limits.settleMs, interrupted, isReleased = false }: DrainOptions = {},
): Promise<Drained> {
  const fates: Fate[] = [];
  let isBroughtHome = false;
  while (interrupted?.aborted !== true) {
    const isForced = isReleased && !fates.some(({ step }) => step === "accepted");
    const next = await world.stores.queues
      .whileDraining(
        pane,
        () => sayNext(world, pane, { settleMs, interrupted, isReleased: isForced }),
        waitMs,
      )
      .catch((error) => {
        if (error instanceof LockedError && fates.length > 0) return drainedBy(error);
        throw error;
      });
    if (next === null) return { fates, stopped: null };
    if (next === "astray" && !isBroughtHome) {
      isBroughtHome = true;
      await rowWriter(world.stores).bringHome(homesNow(await world.panes(), storedRows(world.stores)));
      continue;
    }
    if (next === "astray") return { fates, stopped: hasMoved };
    if ("kind" in next) return { fates, stopped: next };
    fates.push(next);
    if (next.id === upTo) break;
  }
  return { fates, stopped: null };
}

/** The same, where it is no trouble that somebody else does it: that is why nothing was said. */
export async function drainUnlessLocked(...args: Parameters<typeof drain>): Promise<Drained> {
  try {
    return await drain(...args);
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    return { fates: [], stopped: drainedBy(error) };
  }
}

function drainedBy({ holder }: LockedError): Stance {
  const who = holder === null ? "something else" : `process ${holder.pid}`;
  return { kind: "working", why: `${who} is draining it` };
}

/** What became of the first message, why it stays, or null where there is none. Astray: it is for another pane. */
async function sayNext(
  world: MessageWorld,
  pane: PaneAddress,
  { settleMs, interrupted, isReleased }: Patience & { isReleased: boolean },
): Promise<Fate | Stance | "astray" | null> {
  if (world.stores.queues.read(pane).messages.length === 0) return null;
  const seen = await world.panes();
  const { forPane, noted } = waitingHere(world.stores, seen, pane);
  const [message] = forPane;
  if (message === undefined) return null;
  const history = historyOf(noted, message.id);
  const last = history.at(-1);
  const ended = last === undefined ? null : endedAs(last);
  if (ended !== null) return takeOut(world, { id: message.id, ...ended });
  const known = ownersOf(noted).get(message.id);
  const owner = ownerHere(known, seen);
  if (last?.step === "typing") {
    const typedInto = seen.panes.find(({ id, address }) =>
      owner === null ? address === pane : id === owner,
    );
    return settle(world, message, last, typedInto, { settleMs, interrupted });
  }
  if (isExpired(message.stamp, Math.floor(Date.now() / 1000))) return leave(world, message, "expired");

  const place = placeOf(seen, pane);
  if ("why" in place) return place;
  const unfit = whyRefused(place, message);
  if (unfit !== null) return leave(world, message, "refused", unfit);
  if (known !== undefined && owner === null && place.mark?.address !== pane) return isOfGoneServer(pane);
  if (owner !== null && owner !== place.id) {
    const owned = seen.panes.find(({ id }) => id === owner);
    if (owned !== undefined && isPaneAddress(owned.address)) return "astray";
    return leave(world, message, "refused", `it was for ${owner}, and ${place.id} stands there now`);
  }
  const stance = await stanceNow(world, place, { isReleased });
  if (stance.kind !== "ready") return stance;
  return say(world, place, message, { isReleased });
}

/** Where the agent of this pane stands to a message now, holds included. */
export async function stanceNow(
  world: MessageWorld,
  pane: FleetPane,
  release: Pick<Say, "isReleased"> = {},
): Promise<Stance> {
  const sight = await seeIn(world.tmux, pane);
  return "kind" in sight ? sight : stanceOf(sight, { heldBy: holderOf(world, pane), ...release });
}

async function say(
  world: MessageWorld,
  pane: FleetPane,
  message: Message,
  release: Pick<Say, "isReleased">,
): Promise<Fate | Stance> {
  const { receipts } = world.stores;
  const begin = (mark: Mark | null) =>
    receipts.append([receipt(message.id, "typing", mark === null ? "" : formatMark(mark))]);
  const look = () => world.panes();
  const key = keyOf(message.intent);
  const delivery: Delivery =
    key === null
      ? await deliver(world.tmux, look, pane.id, message.text, begin, release)
      : await pressKey(world.tmux, look, pane.id, key, begin, release);
  return delivery.outcome === "refused" ? delivery.stance : becomes(world, pane, message, delivery);
}

/** Rows of an address belong to the pane that stands there, unless a move is not followed yet, or is held. */
function placeOf({ panes, shifts }: Panes, address: PaneAddress): FleetPane | Stance {
  const isMoving = shifts.moved.has(address) || [...shifts.moved.values()].includes(address);
  if (isMoving || shifts.held.has(addressParts(address).team)) return hasMoved;
  return panes.find((pane) => pane.address === address) ?? { kind: "absent", why: "its pane is gone" };
}

function isOfGoneServer(pane: PaneAddress): Stance {
  const { team } = addressParts(pane);
  return {
    kind: "absent",
    why: `it was for a pane of an earlier tmux server: hivemind teams restore --team ${team}`,
  };
}

const hasMoved: Stance = { kind: "working", why: "its pane has moved: hivemind registry refresh" };

function whyRefused(place: FleetPane, { intent, text }: Message): string | null {
  const key = keyOf(intent);
  return key === null ? whyUnfit(place, text) : keyRefusal(key);
}
