// Waiting for what becomes of a message.
//
// [AW1] Answered is a message whose turn the transcript shows to its end while its agent listens again; a command is,
//       once its agent listens again. It is written down when it is seen.
// [AW2] While it waits in its queue, whoever waits for it says it as soon as its agent listens.
// [AW3] What can have no answer any more ends the waiting: it left its queue otherwise, its turn failed or was interrupted,
//       or its agent is gone.
// [AW4] Whose a message is, its receipts say: its pane, wherever that stands by now. Only where they do not, or it was of
//       another tmux server, it is of the pane at its address.

import { setTimeout as rest } from "node:timers/promises";
import type { ActivityReading } from "../fleet/activity.js";
import type { FleetPane } from "../fleet/panes.js";
import { limits } from "../limits.js";
import { ownerHere, type Places } from "../stores/queue-homes.js";
import { type MessageId, messageParts } from "../stores/queue-rows.js";
import { historyOf, idNow, ownersOf, type Receipt, receipt } from "../stores/receipts.js";
import { drainUnlessLocked } from "./drain.js";
import { type MessageTurn, turnBehind } from "./message-turn.js";
import { type Mark, parseMark } from "./proof.js";
import { seeIn } from "./see.js";
import { doing, listens } from "./stance.js";
import type { MessageWorld } from "./world.js";

export type Awaited =
  | { outcome: "answered" }
  | { outcome: "ended"; why: string }
  | { outcome: "timeout" }
  | { outcome: "interrupted" };

export interface Patience {
  /** Null for as long as it takes. */
  timeoutMs: number | null;
  interrupted: AbortSignal;
}

export function awaitAnswer(world: MessageWorld, message: MessageId, patience: Patience): Promise<Awaited> {
  const quiet: Quiet = { sinceMs: null };
  return awaiting(patience, async () => {
    const receipts = world.stores.receipts.read().rows;
    const id = idNow(receipts, message);
    const last = historyOf(receipts, id).at(-1);
    // Only a message that was accepted is looked for in the conversation.
    if (last?.step !== "accepted") quiet.sinceMs = null;
    switch (last?.step) {
      case "answered":
        return { outcome: "answered" };
      case "accepted":
        return answerTo(world, id, receipts, quiet);
      case undefined:
      case "queued":
      case "typing":
        await drainUnlessLocked(world, messageParts(id).pane, { upTo: id });
        return null;
      default:
        return { outcome: "ended", why: [last!.step, last!.detail].filter(Boolean).join(": ") };
    }
  });
}

/** What the agent said in the turn that a message began; null where no transcript tells. */
export async function answerWords(
  { stores }: Pick<MessageWorld, "stores">,
  message: MessageId,
): Promise<string | null> {
  const receipts = stores.receipts.read().rows;
  const mark = markOf(receipts, idNow(receipts, message));
  return mark === null || mark.isCommand ? null : ((await turnBehind(mark))?.words ?? null);
}

/** The last message that this pane's agent took, if any. */
export function lastTaken(
  receipts: readonly Receipt[],
  seen: Pick<Places, "server">,
  pane: Pick<FleetPane, "id" | "address">,
): MessageId | null {
  const isOf = ownership(receipts, seen);
  return receipts.findLast(({ step, id }) => step === "accepted" && isOf(id, pane))?.id ?? null;
}

/** Looks again and again until something comes of it, or patience ends. */
export async function awaiting(
  { timeoutMs, interrupted }: Patience,
  look: () => Promise<Awaited | null>,
): Promise<Awaited> {
  const end = timeoutMs === null ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() >= end) return { outcome: "timeout" };
    const pauseMs = Math.max(0, Math.min(limits.waitPollMs, end - performance.now()));
    await rest(pauseMs, undefined, { signal: interrupted }).catch(() => {});
    if (interrupted.aborted) return { outcome: "interrupted" };
  }
}

/** How long the agent has been listening while its answer is missing. */
interface Quiet {
  sinceMs: number | null;
}

async function answerTo(
  world: MessageWorld,
  id: MessageId,
  receipts: readonly Receipt[],
  quiet: Quiet,
): Promise<Awaited | null> {
  const mark = markOf(receipts, id);
  const seen = await world.panes();
  const isOf = ownership(receipts, seen);
  const pane = seen.panes.find((each) => isOf(id, each));
  const sight = pane === undefined ? null : await seeIn(world.tmux, pane);
  const isGone = sight === null || "kind" in sight;
  const reading = isGone ? null : doing(sight);
  const turn = mark === null || mark.isCommand ? "plain" : await turnBehind(mark);
  const verdict = verdictOn(turn, reading, isWaitedOut(quiet, reading));
  if (verdict === "answered") {
    await world.stores.receipts.append([receipt(id, "answered")]);
    return { outcome: "answered" };
  }
  if (verdict !== null) return { outcome: "ended", why: verdict };
  return isGone ? { outcome: "ended", why: sight === null ? "its pane is gone" : sight.why } : null;
}

/**
 * What became of the message: `answered`, or why it gets no answer; null while one may come. `plain` is a message without
 * records of its own, `reading` null is an agent that is gone.
 */
export function verdictOn(
  turn: MessageTurn | "plain" | null,
  reading: ActivityReading | null,
  isLate: boolean,
): string | null {
  const isHeard = reading === null || listens(reading);
  if (turn === "plain") return isHeard ? "answered" : null;
  if (turn?.end === "failed") return `its turn failed: ${turn.failure}`;
  if (turn?.end === "interrupted") return "its turn was interrupted";
  if (turn?.end === "answered" && isHeard) return "answered";
  // The client writes its error down as the answer.
  if (reading?.activity === "error" && turn?.end === "answered")
    return `its turn failed: ${reading.about ?? "an error"}`;
  if (!isLate) return null;
  return turn?.end === "begun" ? "answered" : "it listens again without an answer: its turn was interrupted";
}

/** A client writes its records later than it says that it is idle, but not for ever. */
function isWaitedOut(quiet: Quiet, reading: ActivityReading | null): boolean {
  if (reading === null || !listens(reading)) quiet.sinceMs = null;
  else quiet.sinceMs ??= performance.now();
  return quiet.sinceMs !== null && performance.now() - quiet.sinceMs > limits.settleMs;
}

function markOf(receipts: readonly Receipt[], id: MessageId): Mark | null {
  return parseMark(historyOf(receipts, id).findLast(({ step }) => step === "typing")?.detail ?? "");
}

/** Whether a message is of a pane. */
function ownership(
  receipts: readonly Receipt[],
  seen: Pick<Places, "server">,
): (message: MessageId, pane: Pick<FleetPane, "id" | "address">) => boolean {
  const owners = ownersOf(receipts);
  return (message, pane) => {
    const owner = ownerHere(owners.get(message), seen);
    return owner === null ? messageParts(message).pane === pane.address : owner === pane.id;
  };
}
