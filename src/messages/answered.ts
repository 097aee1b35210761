// Waits for the outcome of a message.
//
// - A message is answered when the transcript shows the end of its turn and the agent listens again. A command is
//   answered as soon as the agent listens again. A receipt records the answer.
// - While the message is queued, this process delivers it as soon as the agent listens.
// - The wait ends when no answer can come: the message left its queue undelivered, its turn failed or was
//   interrupted, or the agent is gone.

import { setTimeout as rest } from "node:timers/promises";
import type { MessageTurn } from "../agents/message-records.js";
import type { ActivityReading } from "../fleet/activity/activity.js";
import { limits } from "../limits.js";
import type { AgentId } from "../names/agent-id.js";
import { type MessageId, messageParts } from "../stores/queue/queue-rows.js";
import { historyOf, type Receipt, receipt } from "../stores/receipts.js";
import { drainUnlessLocked } from "./drain.js";
import { type Mark, parseMark, turnBehind } from "./proof.js";
import { seeIn } from "./see.js";
import { doing, listens } from "./stance.js";
import type { MessageWorld } from "./world.js";

export type Awaited =
  | { outcome: "answered" }
  | { outcome: "ended"; why: string }
  | { outcome: "timeout" }
  | { outcome: "interrupted" };

export interface Patience {
  /** Null waits without a limit. */
  timeoutMs: number | null;
  interrupted: AbortSignal;
}

export function awaitAnswer(world: MessageWorld, id: MessageId, patience: Patience): Promise<Awaited> {
  const quiet: Quiet = { sinceMs: null };
  return awaiting(patience, async () => {
    const receipts = world.stores.receipts.read().rows;
    const last = historyOf(receipts, id).at(-1);
    // Only an accepted message can have records in the conversation.
    if (last?.step !== "accepted") quiet.sinceMs = null;
    switch (last?.step) {
      case "answered":
        return { outcome: "answered" };
      case "accepted":
        return answerTo(world, id, receipts, quiet);
      case undefined:
      case "queued":
      case "typing":
      case "posting":
      case "enqueued":
      case "returned":
        await drainUnlessLocked(world, messageParts(id).agent!, { upTo: id });
        return null;
      default:
        return { outcome: "ended", why: [last!.step, last!.detail].filter(Boolean).join(": ") };
    }
  });
}

/** What the agent said in the turn that the message began. Null if no transcript shows it. */
export async function answerWords(
  { stores }: Pick<MessageWorld, "stores">,
  id: MessageId,
): Promise<string | null> {
  const mark = markOf(stores.receipts.read().rows, id);
  return mark === null || mark.isCommand ? null : ((await turnBehind(mark))?.words ?? null);
}

/** The last message that this agent took. */
export function lastTaken(receipts: readonly Receipt[], agent: AgentId): MessageId | null {
  const isTaken = ({ step, id }: Receipt) => step === "accepted" && messageParts(id).agent === agent;
  return receipts.findLast(isTaken)?.id ?? null;
}

/** Polls `look` until it returns an outcome or the patience ends. */
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

/** Since when the agent has been listening while its answer is missing. */
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
  const { agent } = messageParts(id);
  const pane = (await world.panes()).panes.find((each) => agent !== null && each.agent?.id === agent);
  const sight = pane === undefined ? null : await seeIn(world.tmux, pane);
  const isGone = sight === null || "kind" in sight;
  const reading = isGone ? null : doing(sight);
  const turn = mark === null || mark.isCommand ? "plain" : await turnBehind(mark);
  const verdict = verdictOn(turn, reading, isWaitedOut(quiet, reading));
  if (verdict === "answered") {
    await world.stores.receipts.append([receipt(id, pane?.agent?.address ?? null, "answered")]);
    return { outcome: "answered" };
  }
  if (verdict !== null) return { outcome: "ended", why: verdict };
  return isGone ? { outcome: "ended", why: sight === null ? "its pane is gone" : sight.why } : null;
}

/**
 * The outcome of the message: `answered`, the reason why no answer will come, or null while one may still come.
 * `turn` is `plain` for a message without records of its own; `reading` is null for an agent that is gone.
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
  // The client records its error as the answer.
  if (reading?.activity === "error" && turn?.end === "answered")
    return `its turn failed: ${reading.about ?? "an error"}`;
  if (!isLate) return null;
  return turn?.end === "begun"
    ? "answered"
    : "its agent is idle again without an answer: the turn was interrupted";
}

/** A client reports that it is idle before it writes its records, but the delay is short. */
function isWaitedOut(quiet: Quiet, reading: ActivityReading | null): boolean {
  if (reading === null || !listens(reading)) quiet.sinceMs = null;
  else quiet.sinceMs ??= performance.now();
  return quiet.sinceMs !== null && performance.now() - quiet.sinceMs > limits.settleMs;
}

function markOf(receipts: readonly Receipt[], id: MessageId): Mark | null {
  const isBegun = ({ step }: Receipt) => step === "typing" || step === "posting";
  return parseMark(historyOf(receipts, id).findLast(isBegun)?.detail ?? "");
}
