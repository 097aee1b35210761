// Delivers the messages of one agent, first in first out, while it listens.
//
// [MN1] A message is typed at most once: a receipt is written before the first key. A process that finds such an
//       open receipt asks the transcript, then enters the text if it is still in the box, and never types it again.
// [MN2] A message leaves its queue after its end is recorded: accepted, or kept in `dead/` as expired, uncertain or
//       refused. If the process is killed in between, the next drain finishes it.
// [MN3] Only one message is on its way at a time, under the lock of its queue. Others may send between two messages.
// [MN4] A message is typed only into the pane of its own agent. The messages of an agent that is away stay queued
//       without a time limit.
// [MN5] After a killed sender, the drain waits as long as a client may need to record the message, whatever the
//       clock shows, and longer while the agent does not listen.

import { LockedError } from "../base/files/lock.js";
import type { FleetPane } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { AgentId } from "../names/agent-id.js";
import { isExpired, type MessageId } from "../stores/queue/queue-rows.js";
import { nowSeconds } from "../stores/queue/stamps.js";
import type { Message } from "../stores/queues.js";
import { historyOf, receipt } from "../stores/receipts.js";
import { deliverInto, type Hands } from "./deliver.js";
import { keyOf, keyRefusal, pressKey } from "./dialog/press-key.js";
import { whyUnfit } from "./fit.js";
import { formatMark } from "./proof.js";
import { paneFor, seeIn } from "./see.js";
import {
  becomes,
  endedAs,
  holderOf,
  leave,
  type MessageOutcome,
  type Patience,
  settle,
  takeOut,
} from "./settle.js";
import { type PaneView, type Say, type Stance, stanceOf } from "./stance.js";
import type { MessageWorld } from "./world.js";

export interface Drained {
  /** The messages that left the queue, in order. */
  fates: MessageOutcome[];
  /** Why the next one was not delivered; null if none is left. */
  stopped: Stance | null;
}

export interface DrainOptions {
  /** Stops after this message. */
  upTo?: MessageId;
  /** How long to wait for another process that drains. Throws a `LockedError` if none was delivered by then. */
  waitMs?: number;
  /** How long a client gets to record a message that a killed sender typed. */
  settleMs?: number;
  interrupted?: AbortSignal;
  /** A person wants the first message delivered although the agent's last turn failed. */
  isReleased?: boolean;
}

export async function drain(
  world: MessageWorld,
  agent: AgentId,
  { upTo, waitMs = 0, settleMs = limits.settleMs, interrupted, isReleased = false }: DrainOptions = {},
): Promise<Drained> {
  const fates: MessageOutcome[] = [];
  while (interrupted?.aborted !== true) {
    const isForced = isReleased && !fates.some(({ step }) => step === "accepted");
    const deliverFirst = () => deliverNext(world, agent, { settleMs, interrupted, isReleased: isForced });
    const next = await world.stores.queues.whileDraining(agent, deliverFirst, waitMs).catch((error) => {
      if (error instanceof LockedError && fates.length > 0) return drainedBy(error);
      throw error;
    });
    if (next === null) return { fates, stopped: null };
    if ("kind" in next) return { fates, stopped: next };
    fates.push(next);
    if (next.id === upTo) break;
  }
  return { fates, stopped: null };
}

/** The same, but another process that drains is not an error: it is the reason why nothing was delivered. */
export async function drainUnlessLocked(...args: Parameters<typeof drain>): Promise<Drained> {
  try {
    return await drain(...args);
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    return { fates: [], stopped: drainedBy(error) };
  }
}

function drainedBy({ holder }: LockedError): Stance {
  const who = holder === null ? "another process" : `process ${holder.pid}`;
  return { kind: "working", why: `${who} is delivering its messages` };
}

/** The outcome of the agent's first message, the reason why it stays queued, or null if there is none. */
async function deliverNext(
  world: MessageWorld,
  agent: AgentId,
  { settleMs, interrupted, isReleased }: Patience & { isReleased: boolean },
): Promise<MessageOutcome | Stance | null> {
  const { queues, receipts } = world.stores;
  const [message] = queues.read(agent).messages;
  if (message === undefined) return null;
  const last = historyOf(receipts.read().rows, message.id).at(-1);
  const ended = last === undefined ? null : endedAs(last);
  if (ended !== null) return takeOut(world, { id: message.id, ...ended });
  const pane = paneFor(await world.panes(), agent);
  const isHere = !("why" in pane);
  if (last?.step === "typing")
    return settle(world, message, last, isHere ? pane : undefined, { settleMs, interrupted });
  if (!isHere) return pane;
  if (isExpired(message.stamp, nowSeconds(), pane.agent!.epoch))
    return leave(world, pane, message, "expired");
  const key = keyOf(message.intent);
  const unfit = key === null ? whyUnfit(pane, message.text) : keyRefusal(key);
  if (unfit !== null) return leave(world, pane, message, "refused", unfit);
  const seen = await seeIn(world.tmux, pane);
  return "kind" in seen ? seen : deliverFirst(world, seen, message, { isReleased });
}

/** How ready the agent of this pane is for a message now, including holds. */
export async function stanceNow(world: MessageWorld, pane: FleetPane): Promise<Stance> {
  const seen = await seeIn(world.tmux, pane);
  return "kind" in seen ? seen : stanceOf(seen, { heldBy: holderOf(world, pane) });
}

/** Delivers the first message to the agent that was just seen. The caller holds the lock of the queue. */
export async function deliverFirst(
  world: MessageWorld,
  seen: PaneView,
  message: Message,
  release: Pick<Say, "isReleased"> = {},
): Promise<MessageOutcome | Stance> {
  const { pane } = seen;
  const hands: Hands = {
    ...world,
    begin: async (mark) => {
      const detail = mark === null ? "" : formatMark(mark);
      await world.stores.receipts.append([
        receipt(message.id, pane.agent?.address ?? null, "typing", detail),
      ]);
    },
    say: { heldBy: holderOf(world, pane), ...release },
  };
  const key = keyOf(message.intent);
  const delivery =
    key === null ? await deliverInto(hands, seen, message.text) : await pressKey(hands, seen, key);
  return delivery.outcome === "refused" ? delivery.stance : becomes(world, pane, message, delivery);
}
