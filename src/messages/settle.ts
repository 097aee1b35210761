// Decides the outcome of a typed message, for its sender and for any process that finds its open receipt. The
// outcome is recorded first, then the message leaves its queue.
//
// [LS1] As long as the `typing` receipt is open, the message's words in the box are ours: they are entered when the
//       agent listens.
// [LS2] A draft with more than our words, or one that could be a person's paste, is left alone and reported.

import { setTimeout as rest } from "node:timers/promises";
import { agentOfKind } from "../agents/all.js";
import type { ShapedText } from "../agents/box.js";
import type { FleetPane } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { AgentId } from "../names/agent-id.js";
import { holdOf } from "../stores/holds.js";
import type { MessageId } from "../stores/queue/queue-rows.js";
import type { Message } from "../stores/queues.js";
import { historyOf, type Receipt, type ReceiptStep, receipt } from "../stores/receipts.js";
import { pressedSince } from "../tmux/server.js";
import { whyCutOff } from "./cut-off.js";
import { type Entry, enter, stanceBeside } from "./enter.js";
import { excerptOf, formsFor } from "./fit.js";
import {
  confirmPosted,
  conversationChanged,
  entryOf,
  type Handed,
  isEnded,
  sessionNow,
  takenBack,
  takenIn,
} from "./post.js";
import { type Mark, parseMark, proofBehind } from "./proof.js";
import { see } from "./see.js";
import type { PaneView, Say, Stance } from "./stance.js";
import type { MessageWorld } from "./world.js";

export interface MessageOutcome {
  id: MessageId;
  /** An enqueued message stays in the queue until its agent took it. */
  step: Extract<ReceiptStep, "accepted" | "enqueued" | "expired" | "uncertain" | "refused">;
  detail: string;
}

export interface Patience {
  settleMs: number;
  interrupted: AbortSignal | undefined;
}

/** A message that is still in the box of an agent that does not listen keeps its open receipt. */
export async function becomes(
  world: MessageWorld,
  pane: FleetPane | undefined,
  message: Message,
  entry: Entry | Handed,
): Promise<MessageOutcome | Stance> {
  switch (entry.outcome) {
    case "accepted":
      return leave(world, pane, message, "accepted", `by the ${entry.by}`);
    case "enqueued":
      return inInbox(world, pane, message, entry);
    case "returned":
      return giveBack(world, pane, message, entry);
    case "withdrawn":
      return leave(world, pane, message, "refused", entry.why);
    case "unconfirmed": {
      const left =
        entry.isEntered || pane === undefined ? null : await leftNow(world, pane, message, Date.now());
      if (left !== null && left.kind !== "lost") return { kind: "working", why: entry.why };
      return leave(world, pane, message, "uncertain", `${entry.why}: ${excerptOf(message.text)}`);
    }
  }
}

/** Its client has the message. */
async function inInbox(
  { stores }: MessageWorld,
  pane: FleetPane | undefined,
  { id }: Message,
  { isHeld }: Extract<Handed, { outcome: "enqueued" }>,
): Promise<MessageOutcome> {
  const detail = isHeld ? heldInInbox : "in its inbox, behind its current turn";
  await stores.receipts.append([receipt(id, pane?.agent?.address ?? null, "enqueued", detail)]);
  return { id, step: "enqueued", detail };
}

/** The message is queued again, unless the client drops it every time. */
async function giveBack(
  world: MessageWorld,
  pane: FleetPane | undefined,
  message: Message,
  { why, isDropped }: Extract<Handed, { outcome: "returned" }>,
): Promise<MessageOutcome | Stance> {
  const { receipts } = world.stores;
  await receipts.append([receipt(message.id, pane?.agent?.address ?? null, "returned", why)]);
  const tries = historyOf(receipts.read().rows, message.id).filter(({ step }) => step === "returned").length;
  if (isDropped && tries >= limits.inboxTries)
    return leave(world, pane, message, "refused", `${why} ${tries} times`);
  return { kind: "working", why };
}

/**
 * For a message that was handed to an inbox and has no end yet. Null: its client still has it, and its agent takes it
 * later.
 */
export async function settlePosted(
  world: MessageWorld,
  message: Message,
  history: readonly Receipt[],
  pane: FleetPane | undefined,
  { interrupted }: Pick<Patience, "interrupted">,
): Promise<MessageOutcome | Stance | null> {
  const posting = history.findLast(({ step }) => step === "posting");
  const mark = posting === undefined ? null : parseMark(posting.detail);
  if (mark === null)
    return leave(world, pane, message, "uncertain", `its receipt is unreadable: ${excerptOf(message.text)}`);
  const isEnqueued = history.at(-1)?.step === "enqueued";
  const sinceMs = Math.max(0, Date.now() - Date.parse(posting!.at));
  const entry = isEnqueued
    ? await enqueuedNow(world, mark)
    : await confirmPosted(world, mark, Math.max(0, limits.inboxProofMs - sinceMs), interrupted);
  if (entry.outcome === "unconfirmed" && interrupted?.aborted) return { kind: "working", why: entry.why };
  if (entry.outcome !== "enqueued" || !isEnqueued) return becomes(world, pane, message, entry);
  // Its client asks a moment after it has recorded that it will.
  const isAsking = pane === undefined || pane.live?.activity === "waiting" || sinceMs < limits.inboxProofMs;
  if (!entry.isHeld || isAsking) return null;
  return leave(world, pane, message, "refused", "a person declined it, or its client gave up on it");
}

/** It was handed to an inbox, and its end is to be seen. */
export function isHanded(history: readonly Receipt[]): boolean {
  const step = history.at(-1)?.step;
  return step === "posting" || step === "enqueued";
}

/** Withdraws what is still in an inbox that outlives its client, before a person clears the queue. */
export async function takeBackHanded(world: MessageWorld, agent: AgentId): Promise<void> {
  const rows = world.stores.receipts.read().rows;
  for (const { id } of world.stores.queues.read(agent).messages) {
    const history = historyOf(rows, id);
    const posting = isHanded(history) ? history.findLast(({ step }) => step === "posting") : undefined;
    const mark = posting === undefined ? null : parseMark(posting.detail);
    if (mark !== null) await takenBack(world, mark, "cleared");
  }
}

/** Whether an agent's inbox has a message whose end is to be seen. */
export function hasHanded({ stores }: Pick<MessageWorld, "stores">, agent: AgentId): boolean {
  const rows = stores.receipts.read().rows;
  return stores.queues.read(agent).messages.some(({ id }) => isHanded(historyOf(rows, id)));
}

/** A client that cleared its conversation may take what it had enqueued in the new one. */
async function enqueuedNow(world: MessageWorld, mark: Mark): Promise<Handed> {
  const proof = entryOf(await proofBehind(mark));
  if (proof !== null && proof.outcome !== "enqueued") return proof;
  const ended = await isEnded(world, mark);
  if (ended !== null) return ended;
  const session = await sessionNow(world, mark);
  if (session === null || session === mark.session) return proof ?? { outcome: "enqueued" };
  const taken = await takenIn(mark, session);
  const isKept = agentOfKind(mark.kind)?.inbox?.kept !== undefined;
  return taken ?? (isKept ? takenBack(world, mark, conversationChanged) : (proof ?? { outcome: "enqueued" }));
}

/** The operator who holds the agent of this pane. */
export function holderOf({ stores }: MessageWorld, { agent }: Pick<FleetPane, "agent">): string | null {
  return (agent && holdOf(stores, agent.id, "HELD")?.by) ?? null;
}

/**
 * For a sender that was killed or gave up while typing: the client's records decide, then the contents of the box.
 */
export async function settle(
  world: MessageWorld,
  message: Message,
  typing: Receipt,
  pane: FleetPane | undefined,
  { settleMs, interrupted }: Patience,
): Promise<MessageOutcome | Stance> {
  const mark = parseMark(typing.detail);
  const typedAtMs = Date.parse(typing.at);
  // If the clock was set since, the time proves nothing: wait for the full period.
  const end = performance.now() + settleMs - Math.max(0, Date.now() - typedAtMs);
  const lose = (why: string) =>
    leave(world, pane, message, "uncertain", `${why}: ${excerptOf(message.text)}`);
  let wasOurs = false;
  while (mark !== null) {
    if ((await proofBehind(mark)) !== "nothing")
      return leave(world, pane, message, "accepted", "by the transcript");
    const isThere = pane !== undefined && pane.live?.sessionId === mark.session;
    const left = isThere ? await leftNow(world, pane, message, typedAtMs) : lost(lostWords);
    // An Enter that is on its way makes the first look wrong.
    if (left.kind === "ours" && wasOurs) {
      const typed = {
        pane: pane!.id,
        shaped: left.shaped,
        before: { live: pane!.live, mark },
        say: { cutOff: () => whyCutOff(world) },
      };
      return becomes(world, pane!, message, await enter({ ...world, ...typed }));
    }
    wasOurs = left.kind === "ours";
    if (left.kind !== "ours" && performance.now() > end)
      return left.kind === "waits" ? left.stance : lose(left.why);
    if (interrupted?.aborted)
      return {
        kind: "working",
        why: "the message was typed, and nothing shows yet whether its agent took it",
      };
    await rest(limits.deliverRestMs);
  }
  return lose(lostWords);
}

async function leftNow(
  world: MessageWorld,
  pane: FleetPane,
  { text }: Message,
  sinceMs: number,
): Promise<Left> {
  const seen = await see(world, pane.id);
  if ("kind" in seen) return lost(seen.why);
  const isUntouched = !(await pressedSince(world.tmux, seen.pane.sessionName, sinceMs));
  const say = { heldBy: holderOf(world, pane), cutOff: () => whyCutOff(world) };
  return leftIn(seen, formsFor(seen.pane, text), say, { isUntouched });
}

/** What a killed sender left in an agent's input box, before Enter. */
type Left =
  | { kind: "ours"; shaped: ShapedText }
  /** The agent does not listen now: the outcome is still open. */
  | { kind: "waits"; stance: Stance }
  | { kind: "lost"; why: string };

/** `forms`: how the message may have been pasted. Untouched: no key was pressed in this tmux session since then. */
export function leftIn(
  seen: PaneView,
  forms: readonly ShapedText[],
  say: Say,
  { isUntouched }: { isUntouched: boolean },
): Left {
  const { box, pane } = seen;
  const stance = stanceBeside(seen, say);
  if (stance.kind === "absent") return lost(stance.why);
  if (stance.kind !== "ready") return { kind: "waits", stance };
  const keyboard = agentOfKind(pane.kind)?.keyboard;
  if (box.kind !== "draft" || keyboard === undefined) return lost(lostWords);
  const shown = forms.map((shaped) => ({ shaped, as: keyboard.shownAs(box.text, shaped.text) }));
  const whole = shown.find(({ as }) => as === "whole");
  const part = shown.find(({ as }) => as === "part");
  const ours = whole ?? (isUntouched ? part : undefined);
  if (ours !== undefined) return { kind: "ours", shaped: ours.shaped };
  if (part !== undefined) return lost(maybeOurs);
  const isMixed = forms.some(({ text }) => keyboard.holdsMore(box.text, text));
  return lost(isMixed ? mixed : "the message was typed, and the input box holds another draft");
}

function lost(why: string): Left {
  return { kind: "lost", why };
}

/** The detail of the receipt of a message that a client shows to a person first. */
export const heldInInbox = "its client asks a person whether to take it";

/** It is unknown whether the agent took the message. */
const lostWords = "the message was typed, but neither the input box nor the conversation shows it";
const mixed = "the message is in the input box, mixed with other words: enter or clear them there";
const maybeOurs = "the input box holds a collapsed paste, this message or another: enter or clear it there";

/** `pane` is the agent's pane; undefined for an agent that is away. */
export async function leave(
  world: MessageWorld,
  pane: Pick<FleetPane, "agent"> | undefined,
  { id }: Message,
  step: MessageOutcome["step"],
  detail = "",
): Promise<MessageOutcome> {
  await world.stores.receipts.append([receipt(id, pane?.agent?.address ?? null, step, detail)]);
  return takeOut(world, { id, step, detail });
}

/** Call this after the outcome is recorded. */
export async function takeOut(
  { stores: { queues } }: MessageWorld,
  fate: MessageOutcome,
): Promise<MessageOutcome> {
  if (fate.step === "accepted") await queues.remove([fate.id]);
  else await queues.bury([fate.id]);
  return fate;
}

/** The outcome of a message that a killed drain left in its queue; null if it has none yet. */
export function endedAs({ step, detail }: Receipt): Pick<MessageOutcome, "step" | "detail"> | null {
  switch (step) {
    case "accepted":
    case "expired":
    case "uncertain":
    case "refused":
      return { step, detail };
    case "answered":
      return { step: "accepted", detail };
    case "cleared":
      return { step: "refused", detail: "cleared" };
    default:
      return null;
  }
}
