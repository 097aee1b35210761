// Infers which session a cleared session followed, from the records of its process. Pure, and always an inference.
//
// - A cleared session names the session in which its process began. It followed the session that the process wrote
//   to last (an earlier cleared session, a branch, or a resumed one), or else the first session.
// - A session that was cleared again before its first answer names no process. It belongs between two others if its
//   title, folder and time fit.

import { limits } from "../../limits.js";
import type { SessionId } from "../../names/gates.js";
import type { Transcript } from "../transcript.js";
import { isOwnBranch } from "./own-branch.js";

export interface ClearedSession extends Pick<Transcript, "id" | "bornAtMs"> {
  facts: Pick<
    Transcript["facts"],
    | "beginsWithClear"
    | "startedAs"
    | "writtenAs"
    | "writtenAsAtMs"
    | "forkedFrom"
    | "forkPointAtMs"
    | "behindCopiesAtMs"
    | "title"
    | "firstCwd"
    | "firstAtMs"
    | "lastAtMs"
  >;
}

/** The predecessors by cleared session. */
export function predecessorsOf(sessions: readonly ClearedSession[]): Map<SessionId, SessionId> {
  const predecessors = new Map<SessionId, SessionId>();
  const cleared = sessions.filter((session) => isCleared(session) && session.facts.startedAs !== null);
  if (cleared.length === 0) return predecessors;
  const processes = new Set(cleared.map(({ facts }) => facts.startedAs));
  const isOfOne = (session: ClearedSession) =>
    processes.has(session.facts.writtenAs) && isOfItsWriter(session);
  const byProcess = groupsOf(sessions.filter(isOfOne), ({ facts }) => facts.writtenAs);
  const silent = groupsOf(sessions.filter(isSilent), placeOf);
  for (const each of cleared.toSorted(byBeginning)) {
    const first = each.facts.startedAs!;
    const last = lastBefore(each, byProcess.get(first) ?? []);
    const between = (silent.get(placeOf(each)) ?? []).filter(
      (other) =>
        isBefore(other, each) && !predecessors.has(other.id) && (last === null || isBefore(last, other)),
    );
    let before = last?.id ?? first;
    for (const next of [...between.toSorted(byBeginning), each]) {
      if (before !== next.id) predecessors.set(next.id, before);
      before = next.id;
    }
  }
  return predecessors;
}

/** A fork of a cleared session begins with `/clear` too, but its file is younger. */
export function isCleared({ bornAtMs, facts }: ClearedSession): boolean {
  // Of thousands few are, and the times are looked up in columns.
  if (facts.beginsWithClear !== true) return false;
  const [firstAtMs, lastAtMs] = [facts.firstAtMs ?? Number.POSITIVE_INFINITY, facts.lastAtMs ?? 0];
  const isLate = bornAtMs !== null && bornAtMs > firstAtMs + limits.transcriptBirthSlackMs;
  const isRestored = bornAtMs !== null && bornAtMs > lastAtMs + limits.transcriptBirthSlackMs;
  return !isLate || isRestored;
}

/** A fork without messages of its own has only copied answers, which another process wrote. */
function isOfItsWriter(session: ClearedSession): boolean {
  const { bornAtMs, facts } = session;
  if (facts.writtenAs === null) return false;
  const isOwnWord = (facts.writtenAsAtMs ?? 0) >= (bornAtMs ?? 0) - limits.transcriptWriteMs;
  return isOwnWord || isOwnBranch(session);
}

function isSilent(session: ClearedSession): boolean {
  return isCleared(session) && session.facts.writtenAs === null && session.facts.title !== null;
}

function placeOf({ facts }: ClearedSession): string {
  return JSON.stringify([facts.title, facts.firstCwd]);
}

function groupsOf<Key>(sessions: readonly ClearedSession[], keyOf: (session: ClearedSession) => Key) {
  const groups = new Map<Key, ClearedSession[]>();
  for (const each of sessions) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return groups;
}

function lastBefore(session: ClearedSession, others: readonly ClearedSession[]): ClearedSession | null {
  const before = others.filter((other) => other.id !== session.id && isBefore(other, session));
  return before.toSorted((a, b) => endOf(b) - endOf(a))[0] ?? null;
}

/** Whether the other was silent when the session began. The client dates the two records from different moments. */
function isBefore(other: ClearedSession, session: ClearedSession): boolean {
  return other.id !== session.id && endOf(other) <= beginningOf(session) + limits.transcriptTurnMs;
}

function byBeginning(a: ClearedSession, b: ClearedSession): number {
  return beginningOf(a) - beginningOf(b);
}

function beginningOf({ facts }: ClearedSession): number {
  return facts.firstAtMs ?? Number.NEGATIVE_INFINITY;
}

function endOf({ facts }: ClearedSession): number {
  return facts.lastAtMs ?? Number.POSITIVE_INFINITY;
}
