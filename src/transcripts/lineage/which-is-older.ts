// Decides which of the sessions that have a message wrote it first: the others are copies.
//
// - A copy is born after the message it copies. So the holder born first wrote the message, if its file existed when
//   the message was written.
// - If births prove nothing (files copied or restored, no birth times), the answer is inferred: the holder born
//   first if all births fit the messages, or else the holder whose own messages begin first.
// - A transcript is born with a message of its own, so a holder without any is not a copy.
// - A holder that was born later than the message and has messages of its own copied it. If all holders did, the
//   session that wrote the message is gone, and the result is only a relative.

import { limits } from "../../limits.js";
import type { SessionId } from "../../names/gates.js";

export interface Holder {
  id: SessionId;
  bornAtMs: number | null;
  /** The time of the first message that no other session has; null if there is none. */
  firstOwnAtMs: number | null;
  /** Messages up to this time were copied into it; null if unknown. */
  copiedUntilMs: number | null;
}

export interface FirstWriter {
  id: SessionId;
  inferred: boolean;
  /** No holder wrote the message. */
  isGone: boolean;
}

/** `holders` is not empty; `writtenAtMs` is the time of the message. */
export function firstWriterOf(holders: readonly Holder[], writtenAtMs: number | null): FirstWriter {
  const writers = holders.filter((holder) => !isCopied(holder, writtenAtMs));
  const isGone = writers.length === 0;
  const [first, second] = (isGone ? holders : writers).toSorted(byBirth);
  const bornAtMs = first!.bornAtMs;
  if (holders.length === 1) return { id: first!.id, inferred: false, isGone };
  const areOrdered = writers.every((each) => each.bornAtMs !== null) && bornAtMs !== second?.bornAtMs;
  if (writtenAtMs === null || bornAtMs === null || isGone || !areOrdered)
    return { id: bySpeech(isGone ? holders : writers), inferred: true, isGone };
  if (bornAtMs <= writtenAtMs + limits.transcriptWriteMs) return { id: first!.id, inferred: false, isGone };
  const id = writers.every(isBornWithWords) ? first!.id : bySpeech(writers);
  return { id, inferred: true, isGone };
}

/** Whether a message of that time was certainly copied into the holder. */
export function isCopied(
  { copiedUntilMs }: Pick<Holder, "copiedUntilMs">,
  writtenAtMs: number | null,
): boolean {
  return copiedUntilMs !== null && writtenAtMs !== null && writtenAtMs <= copiedUntilMs;
}

function byBirth(a: Holder, b: Holder): number {
  return (a.bornAtMs ?? Number.POSITIVE_INFINITY) - (b.bornAtMs ?? Number.POSITIVE_INFINITY);
}

/** A restored file is younger than all its messages. */
function isBornWithWords({ bornAtMs, firstOwnAtMs }: Holder): boolean {
  return bornAtMs! <= (firstOwnAtMs ?? Number.POSITIVE_INFINITY) + limits.transcriptBirthSlackMs;
}

function bySpeech(holders: readonly Holder[]): SessionId {
  return holders.toSorted(byOwnWords)[0]!.id;
}

/** Ties are broken by id, so that every run gives the same answer. */
function byOwnWords(a: Holder, b: Holder): number {
  const [own, other] = [
    a.firstOwnAtMs ?? Number.NEGATIVE_INFINITY,
    b.firstOwnAtMs ?? Number.NEGATIVE_INFINITY,
  ];
  return own === other ? (a.id < b.id ? -1 : 1) : own - other;
}
