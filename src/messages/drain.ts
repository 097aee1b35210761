// Delivers the messages of one agent. Those of one speaker go in order, each through its door.
//
// [MN1] A message is typed at most once: a receipt is written before the first key. A process that finds such an open
//       receipt asks the transcript, then enters the text if it is still in the box, and never types it again. PT1 has
//       the same for the inbox.
// [MN2] A message leaves its queue after its end is recorded: accepted, or kept in `dead/` as expired, uncertain or
//       refused. If the process is killed in between, the next drain finishes it.
// [MN3] Only one message is on its way at a time, under the lock of its queue. Others may send between two messages.
// [MN4] A message is typed only into the pane of its own agent. The messages of an agent that is away stay queued
//       without a time limit.
// [MN5] After a killed sender, the drain waits as long as a client may need to record the message, whatever the
//       clock shows, and longer while the agent does not listen.
// [MN6] A message that waits holds back only the later messages of its own speaker.

import type { DoorName } from "../agents/agent.js";
import { LockedError } from "../base/files/lock.js";
import type { FleetPane } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { AgentId } from "../names/agent-id.js";
import { isExpired, type MessageId } from "../stores/queue/queue-rows.js";
import { nowSeconds } from "../stores/queue/stamps.js";
import type { Message } from "../stores/queues.js";
import { historyOf, type Receipt, type ReceiptStep, receipt } from "../stores/receipts.js";
import { whyCutOff } from "./cut-off.js";
import { type Delivery, deliverInto, type Hands } from "./deliver.js";
import { keyOf, keyRefusal, pressKey } from "./dialog/press-key.js";
import { textRefusal, whyUnfit } from "./fit.js";
import { keepPace } from "./pace.js";
import { type Handed, postInto } from "./post.js";
import { formatMark } from "./proof.js";
import { paneFor, seeIn } from "./see.js";
import {
  becomes,
  endedAs,
  hasHanded,
  holderOf,
  isHanded,
  leave,
  type MessageOutcome,
  type Patience,
  settle,
  settlePosted,
  takeOut,
} from "./settle.js";
import { type Speaker, speakerIn, speakerKey } from "./speaker.js";
import { type PaneView, type Say, type Stance, stanceOf } from "./stance.js";
import { doorFor } from "./which-door.js";
import type { MessageWorld } from "./world.js";

export interface Drained {
  /** The messages that left the queue or are in the agent's inbox now, in order. */
  fates: MessageOutcome[];
  /** Why the first of the others was not delivered; null if none is left. */
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
  const waiting: Waiting = new Map();
  while (interrupted?.aborted !== true) {
    const isForced = isReleased && !fates.some(({ step }) => step === "accepted");
    const patience = { settleMs, interrupted, isReleased: isForced };
    const next = await world.stores.queues
      .whileDraining(agent, () => deliverNext(world, agent, waiting, patience), waitMs)
      .catch((error) => {
        if (error instanceof LockedError && fates.length > 0) return drainedBy(error);
        throw error;
      });
    if (next === null) break;
    if ("kind" in next) return { fates, stopped: next };
    fates.push(next);
    if (next.id === upTo) return { fates, stopped: null };
  }
  const [stopped = null] = waiting.values();
  return { fates, stopped };
}

/** Why the messages of each speaker wait, and single ones that an inbox has, in the order of the queue. */
type Waiting = Map<string, Stance>;

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

/** The outcome of the next message that does not have to wait; null if all that are left have to. */
async function deliverNext(
  world: MessageWorld,
  agent: AgentId,
  waiting: Waiting,
  patience: Patience & { isReleased: boolean },
): Promise<MessageOutcome | null> {
  const { queues, receipts } = world.stores;
  const rows = receipts.read().rows;
  for (const message of queues.read(agent).messages) {
    const history = historyOf(rows, message.id);
    const speaker = speakerIn(history);
    const isHeldBack = !isHanded(history) && waiting.has(speakerKey(speaker));
    if (isHeldBack || waiting.has(message.id)) continue;
    const found = await deliverOne(world, agent, { message, history, speaker }, patience);
    if (found !== null && "kind" in found) waiting.set(speakerKey(speaker), found);
    // What its inbox has by now is looked at again by the next drain.
    if (found === null || ("step" in found && found.step === "enqueued")) waiting.set(message.id, inInbox);
    if (found !== null && "step" in found) return found;
  }
  return null;
}

const inInbox: Stance = { kind: "working", why: "its client has the message, and its agent takes it later" };

interface Queued {
  message: Message;
  history: readonly Receipt[];
  speaker: Speaker;
}

/** The outcome of this message, the reason why it stays queued, or null if its agent's inbox has it. */
async function deliverOne(
  world: MessageWorld,
  agent: AgentId,
  { message, history, speaker }: Queued,
  patience: Patience & { isReleased: boolean },
): Promise<MessageOutcome | Stance | null> {
  const last = history.at(-1);
  const ended = last === undefined ? null : endedAs(last);
  if (ended !== null) return takeOut(world, { id: message.id, ...ended });
  const pane = paneFor(await world.panes(), agent);
  const isHere = !("why" in pane);
  const place = isHere ? pane : undefined;
  if (last?.step === "typing") return settle(world, message, last, place, patience);
  if (isHanded(history)) return settlePosted(world, message, history, place, patience);
  if (!isHere) return pane;
  if (isExpired(message.stamp, nowSeconds(), pane.agent!.epoch))
    return leave(world, pane, message, "expired");
  const key = keyOf(message.intent);
  const isLetter = doorFor(speaker, message, pane) === "inbox";
  const unfit =
    key !== null ? keyRefusal(key) : isLetter ? textRefusal(message.text) : whyUnfit(pane, message.text);
  if (unfit !== null) return leave(world, pane, message, "refused", unfit);
  const seen = await seeIn(world.tmux, pane);
  return "kind" in seen ? seen : deliverFirst(world, seen, message, speaker, patience);
}

/** How ready the agent of this pane is for a message that a person types, including holds. */
export async function stanceNow(world: MessageWorld, pane: FleetPane): Promise<Stance> {
  const seen = await seeIn(world.tmux, pane);
  return "kind" in seen
    ? seen
    : stanceOf(seen, { heldBy: holderOf(world, pane), cutOff: () => whyCutOff(world) });
}

/** Delivers the first message of a speaker to the agent that was just seen. The caller holds the lock of the queue. */
export async function deliverFirst(
  world: MessageWorld,
  seen: PaneView,
  message: Message,
  speaker: Speaker,
  release: Pick<Say, "isReleased"> = {},
): Promise<MessageOutcome | Stance> {
  const { pane } = seen;
  const say = { heldBy: holderOf(world, pane), cutOff: () => whyCutOff(world), ...release };
  const door = doorFor(speaker, message, pane, { isListening: listensFirst(world, seen, say) });
  if (typeof door !== "string") return leave(world, pane, message, "refused", door.refused);
  const step = door === "inbox" ? "posting" : "typing";
  const hands: Hands = {
    ...world,
    keyOf: (session) => world.stores.keys.read(session),
    begin: async (mark) => {
      const detail = mark === null ? `by ${door}` : formatMark(mark);
      const write = (what: ReceiptStep, why: string) =>
        world.stores.receipts.append([receipt(message.id, pane.agent?.address ?? null, what, why)]);
      await write(step, detail);
      // The process may have stood still since the stance was taken.
      const cutOff = whyCutOff(world);
      if (cutOff !== null) await write("returned", cutOff);
      return cutOff;
    },
    say,
  };
  if (door === "inbox") await keepPace(world, seen.pane, speaker);
  const delivery = await through(door, hands, seen, message, speaker);
  return delivery.outcome === "refused" ? delivery.stance : becomes(world, pane, message, delivery);
}

/** Whether a message that is typed now comes before nothing else. */
export function listensFirst(world: MessageWorld, seen: PaneView, say: Say): boolean {
  const { agent } = seen.pane;
  return stanceOf(seen, say).kind === "ready" && (agent === null || !hasHanded(world, agent.id));
}

function through(
  door: DoorName,
  hands: Hands,
  seen: PaneView,
  message: Message,
  speaker: Speaker,
): Promise<Delivery | Handed> {
  if (door === "inbox") return postInto(hands, seen, message, speaker);
  const key = keyOf(message.intent);
  return key === null ? deliverInto(hands, seen, message.text) : pressKey(hands, seen, key);
}
