// Who wrote a message first, of all the sessions that hold it: the others are copies.
//
// [JE1] A copy is born after the message it copies. So of the holders the one born first wrote it, if its file was
//       there when the message was written.
// [JE2] Where births prove nothing (files copied or restored, no birth times), the elder is inferred: the holder born
//       first if all births fit the words, else the holder whose own words begin first. A transcript is born with a
//       word of its own, so a holder without any is no copy.
// [JE4] A holder that was born later than the message, with words of its own, copied it. Where all holders did, the
//       session that wrote the message is gone, and any of them is named as a relative only.

import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";

export interface Holder {
  id: SessionId;
  bornAtMs: number | null;
  /** The first message that no other session holds; null when there is none. */
  firstOwnAtMs: number | null;
  /** What was written until then was copied into it; null where nothing tells. */
  copiedUntilMs: number | null;
}

export interface Elder {
  id: SessionId;
  inferred: boolean;
  /** No holder wrote it. */
  isGone: boolean;
}

/** `holders` is not empty; `writtenAtMs` is the time of the message. */
export function elderOf(holders: readonly Holder[], writtenAtMs: number | null): Elder {
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

/** Whether a message of that time, which the holder has, was copied into it for certain. */
export function isCopied(
  { copiedUntilMs }: Pick<Holder, "copiedUntilMs">,
  writtenAtMs: number | null,
): boolean {
  return copiedUntilMs !== null && writtenAtMs !== null && writtenAtMs <= copiedUntilMs;
}

function byBirth(a: Holder, b: Holder): number {
  return (a.bornAtMs ?? Number.POSITIVE_INFINITY) - (b.bornAtMs ?? Number.POSITIVE_INFINITY);
}

/** A restored file is younger than all its words. */
function isBornWithWords({ bornAtMs, firstOwnAtMs }: Holder): boolean {
  return bornAtMs! <= (firstOwnAtMs ?? Number.POSITIVE_INFINITY) + limits.transcriptBirthSlackMs;
}

function bySpeech(holders: readonly Holder[]): SessionId {
  return holders.toSorted(byOwnWords)[0]!.id;
}

/** Equal ones by id, so that every run says the same. */
function byOwnWords(a: Holder, b: Holder): number {
  const [own, other] = [
    a.firstOwnAtMs ?? Number.NEGATIVE_INFINITY,
    b.firstOwnAtMs ?? Number.NEGATIVE_INFINITY,
  ];
  return own === other ? (a.id < b.id ? -1 : 1) : own - other;
}
