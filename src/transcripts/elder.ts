// Who wrote a message first, of all the sessions that hold it: the others are copies.
//
// [JE1] A copy is born after the message it copies. So of the holders the one born first wrote it, if its file was
//       there when the message was written.
// [JE2] Where births prove nothing (files copied or restored, no birth times), the holder whose own words begin first
//       is the elder, and that is marked as inferred. A transcript is born with a word of its own, so a holder without
//       any is no copy.
// [JE3] All holders are compared once, however many of them ask: thousands may share their first message.

import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";

export interface Holder {
  id: SessionId;
  bornAtMs: number | null;
  /** The first message that no other session holds; null when there is none. */
  firstOwnAtMs: number | null;
}

export interface Elder {
  id: SessionId;
  inferred: boolean;
}

/** `holders` is not empty; `writtenAtMs` is the time of the message. */
export function elderOf(holders: readonly Holder[]): (writtenAtMs: number | null) => Elder {
  const [first, second] = holders.toSorted(byBirth);
  const born: Elder = { id: first!.id, inferred: false };
  if (second === undefined) return () => born;
  const guessed: Elder = { id: holders.toSorted(byOwnWords)[0]!.id, inferred: true };
  const bornAtMs = first!.bornAtMs;
  const canProve = holders.every((each) => each.bornAtMs !== null) && bornAtMs !== second.bornAtMs;
  if (bornAtMs === null || !canProve) return () => guessed;
  return (writtenAtMs) =>
    writtenAtMs !== null && bornAtMs <= writtenAtMs + limits.transcriptBirthSlackMs ? born : guessed;
}

function byBirth(a: Holder, b: Holder): number {
  return (a.bornAtMs ?? Number.POSITIVE_INFINITY) - (b.bornAtMs ?? Number.POSITIVE_INFINITY);
}

/** Equal ones by id, so that every run says the same. */
function byOwnWords(a: Holder, b: Holder): number {
  const [own, other] = [
    a.firstOwnAtMs ?? Number.NEGATIVE_INFINITY,
    b.firstOwnAtMs ?? Number.NEGATIVE_INFINITY,
  ];
  return own === other ? (a.id < b.id ? -1 : 1) : own - other;
}
