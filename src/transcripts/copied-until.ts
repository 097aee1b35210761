// Up to when the words of a transcript are copies, as its birth and its records tell. Pure.
//
// A client makes the file of a conversation when it has a word to write. So a prompt just before the birth is its own,
// and everything before that prompt was said elsewhere. A file that is known to begin with copies and has no such prompt
// was made by a command: everything before its birth was copied. A file that is younger than all its words was restored,
// and its birth tells nothing.

import { limits } from "../limits.js";
import type { KinSession } from "./kin.js";
import type { MessageId } from "./transcript.js";

export function copiedUntil(session: KinSession): number | null {
  const { bornAtMs, facts } = session;
  const copiedMs = timeOf(session, facts.forkedFrom?.message ?? null);
  if (bornAtMs === null || isRestored(session)) return copiedMs;
  const prompts = promptsUntil(session, bornAtMs);
  const [first, last] = [prompts[0], prompts.at(-1)];
  const isCopy = copiedMs !== null || wasWrittenElsewhere(session);
  const isOwn = copiedMs === null ? !isCopy || last !== first : (last ?? copiedMs) > copiedMs;
  if (last !== undefined && isOwn && bornAtMs - last <= limits.transcriptBirthSlackMs)
    return last - limits.transcriptTurnMs;
  return isCopy ? bornAtMs : null;
}

/** By time: a fork of what was compacted has its records in another order. */
function promptsUntil({ chain }: KinSession, untilMs: number): number[] {
  const times = chain.timesMs.filter(
    (atMs, at) => chain.kinds[at] === "p" && atMs !== null && atMs <= untilMs,
  );
  return (times as number[]).sort((a, b) => a - b);
}

/** Its first answers were given in a process that had begun with another session. */
function wasWrittenElsewhere({ id, facts }: KinSession): boolean {
  return facts.startedAs !== null && facts.startedAs !== id && facts.beginsWithClear !== true;
}

function isRestored({ bornAtMs, chain }: KinSession): boolean {
  const lastAtMs = chain.timesMs.findLast((atMs) => atMs !== null) ?? null;
  return bornAtMs !== null && lastAtMs !== null && bornAtMs > lastAtMs + limits.transcriptBirthSlackMs;
}

function timeOf({ chain }: KinSession, message: MessageId | null): number | null {
  const at = message === null ? -1 : chain.messages.indexOf(message);
  return chain.timesMs[at] ?? null;
}
