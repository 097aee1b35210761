// One message for one agent: said now, or where it waits and why.
//
// [MS1] It is written down before it is said: whatever happens to the sender, it is accepted once, or waits, or its
//       receipts say what became of it.
// [MS2] What cannot be said to anybody, and what is for a pane without an agent or for one that asks something, is
//       refused, and nothing is written.
// [MS3] What waited before it for the same agent is said before it, and is what its position counts.
// [MS4] After an error the message does not wait, or it is "queued" with the error as the reason.

import { exitCodes, HiveError } from "../base/errors.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { PaneAddress, PaneId } from "../names/gates.js";
import { checkText, type Intent, type MessageId, messageParts } from "../stores/queue-rows.js";
import type { Queues } from "../stores/queues.js";
import { formatOwner, idNow, lastSteps, receipt, serverKey } from "../stores/receipts.js";
import { drainUnlessLocked, stanceNow } from "./drain.js";
import { endedAs, type Fate } from "./fate.js";
import { whyUnfit } from "./fit.js";
import { positionIn, waitingHere } from "./waiting-here.js";
import type { MessageWorld } from "./world.js";

export interface Sent {
  outcome: "delivered" | "queued" | "held" | "refused" | "uncertain";
  /** Null where nothing was written. */
  id: MessageId | null;
  /** 1 is the next to be said; null when it does not wait. */
  position: number | null;
  /** Empty where there is nothing to say. */
  why: string;
  /** It was refused because a dialog is open. */
  isAsked: boolean;
}

export async function send(world: MessageWorld, target: PaneId, text: string): Promise<Sent> {
  checkText(text);
  const seen = await world.panes();
  const pane = seen.panes.find(({ id }) => id === target);
  if (pane === undefined) return refused("its pane is gone");
  const unfit = whyUnfit(pane, text);
  if (unfit !== null) throw new HiveError(`refused: ${unfit}`);
  const stance = await stanceNow(world, pane);
  if (stance.kind === "absent") return refused(stance.why);
  if (stance.kind === "asking") return { ...refused(stance.why), isAsked: true };
  const id = await enqueue(world, seen, pane, "inform", text);
  return tryNow(world, pane.address, id);
}

/** For the pane that was meant, wherever it stands when this is written: the receipt keeps which one that is. */
export async function enqueue(
  { stores }: Pick<MessageWorld, "stores">,
  { server }: Pick<Panes, "server">,
  { id, address }: Pick<FleetPane, "id" | "address">,
  intent: Intent,
  text: string,
): Promise<MessageId> {
  const { message } = await stores.queues.append(address, intent, text);
  const detail = server === null ? "" : formatOwner({ id, server: serverKey(server) });
  try {
    await stores.receipts.append([receipt(message.id, "queued", detail)]);
  } catch (error) {
    await takeBack(stores.queues, message.id, error);
    throw error;
  }
  return message.id;
}

/** Without a receipt nobody knows for which pane the message is. */
async function takeBack(queues: Queues, id: MessageId, cause: unknown): Promise<void> {
  try {
    await queues.remove([id]);
  } catch {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new HiveError(`queued as ${id}, but its receipt could not be written: ${why}`, {
      exitCode: exitCodes.queued,
      hint: "hivemind queue list",
    });
  }
}

async function tryNow(world: MessageWorld, pane: PaneAddress, id: MessageId): Promise<Sent> {
  try {
    return await drainUpTo(world, pane, id);
  } catch (error) {
    if (!(error instanceof HiveError) || !world.stores.queues.ids().includes(id)) throw error;
    return { outcome: "queued", id, position: null, why: error.message, isAsked: false };
  }
}

async function drainUpTo(world: MessageWorld, pane: PaneAddress, id: MessageId): Promise<Sent> {
  const { queues, receipts } = world.stores;
  const whereNow = () => idNow(receipts.read().rows, id);
  let drained = await drainUnlessLocked(world, pane, { upTo: id, waitMs: limits.sendLockMs });
  // Its pane moved meanwhile, and the message went there.
  const home = messageParts(whereNow()).pane;
  if (home !== pane)
    drained = await drainUnlessLocked(world, home, { upTo: whereNow(), waitMs: limits.sendLockMs });
  const now = whereNow();
  const place = messageParts(now).pane;
  const isWaiting = queues.read(place).messages.some((each) => each.id === now);
  // Whoever else drained it wrote down how it ended, before it left.
  const last = isWaiting ? undefined : lastSteps(receipts.read().rows).get(now);
  const ended = last === undefined ? null : endedAs(last);
  if (ended !== null) return sentAs(now, ended);
  const { kind, why } = drained.stopped ?? { kind: "working", why: "" };
  const position = isWaiting ? positionIn(waitingHere(world.stores, await world.panes(), place), now) : null;
  return { outcome: kind === "held" ? "held" : "queued", id: now, position, why, isAsked: false };
}

function sentAs(id: MessageId, { step, detail }: Pick<Fate, "step" | "detail">): Sent {
  const outcome = step === "accepted" ? "delivered" : step === "uncertain" ? "uncertain" : "refused";
  return { outcome, id, position: null, why: detail, isAsked: false };
}

/** Nothing was written. */
export function refused(why: string): Sent {
  return { outcome: "refused", id: null, position: null, why, isAsked: false };
}
