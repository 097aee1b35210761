// Which transcripts a pane can lay claim to, and whether a session gave way to another in the same process. Pure.
//
// [CL1] A title claims a transcript whose *last* custom title is the pane's; one of the pane's folder before others,
//       the last written before older ones.
// [CL2] Of a running agent only what was written since its process started can be its own. What lies too close to that
//       to be told apart is no claim.
// [CL3] A session gave way to a later one of the same title and folder only if that began after the process did, is
//       no copy made for another process, is younger than the session, and the session itself has been silent since:
//       a conversation that goes on was not left.
// [CL4] A process started as a fork of P never goes on to P, and owns only a copy of P, from its beginning or from where
//       it was compacted, or something begun later.
// [CL5] Of an agent that has ended only what was written later than what was last seen in its pane can be its own. Where
//       that has no transcript, only what was begun since the pane was given its role or that session, for certain.
// [CL6] Nor is it ever what that was forked from, in whatever generation, as S5 tells: a fork leaves its origin alone,
//       however lately that was written. Only what began inside the client, by `/clear` or `/branch`, can go back.

import type { SessionId } from "../names/gates.js";
import { beginsIn } from "../transcripts/families.js";
import type { Transcript } from "../transcripts/transcript.js";

/** All transcripts, as claims look them up. */
export interface Archive {
  /** Of several files of one id the one that was written last. */
  byId: ReadonlyMap<SessionId, Transcript>;
  /** Of the titles that somebody has. */
  byTitle: ReadonlyMap<string, readonly Transcript[]>;
}

export function archiveOf(transcripts: readonly Transcript[], panes: readonly Claimant[]): Archive {
  const byId = new Map<SessionId, Transcript>();
  const byTitle = new Map<string, Transcript[]>();
  for (const { title } of panes) if (title !== null) byTitle.set(title, []);
  for (const each of transcripts) {
    const known = byId.get(each.id);
    if (known === undefined || known.modifiedAtMs < each.modifiedAtMs) byId.set(each.id, each);
    const { title } = each.facts;
    if (title !== null) byTitle.get(title)?.push(each);
  }
  return { byId, byTitle };
}

export interface Claimant {
  title: string | null;
  cwd: string | null;
  /** Not before its process started; null when no agent runs. */
  startedAtMs: number | null;
  forkedFrom: SessionId | null;
  /** What was last seen in it. */
  cached: SessionId | null;
  /** When it was given its role or session, of a pane in which no agent runs; null where nobody knows. */
  registeredAtMs: number | null;
  /** Whether S5 has what was last seen in it come from this one. Asked last: S5 may be long. */
  cachedDescendsFrom(id: SessionId): boolean;
}

/** The times in records and those of files come from different moments of one write. */
const slackMs = 2_000;

/** Best first. */
export function titleClaims(
  pane: Claimant,
  { byId, byTitle }: Archive,
  isFree: (id: SessionId) => boolean,
): Transcript[] {
  if (pane.title === null) return [];
  const parent = pane.forkedFrom === null ? undefined : byId.get(pane.forkedFrom);
  return (byTitle.get(pane.title) ?? [])
    .filter(({ id }) => isFree(id))
    .filter((each) =>
      pane.startedAtMs === null ? isOfEnded(each, pane, byId) : isSince(each.modifiedAtMs, pane),
    )
    .filter((each) => pane.forkedFrom === null || isOfFork(each, pane.forkedFrom, parent))
    .sort(
      (a, b) =>
        Number(isOfFolder(b, pane.cwd)) - Number(isOfFolder(a, pane.cwd)) || b.modifiedAtMs - a.modifiedAtMs,
    );
}

/** The session that the pane's process went on to after `left`, as far as transcripts tell. */
export function successorOf(
  left: SessionId,
  pane: Claimant,
  { byId, byTitle }: Archive,
  isFree: (id: SessionId) => boolean,
): Transcript | null {
  const before = byId.get(left);
  const found = (pane.title === null ? [] : (byTitle.get(pane.title) ?? []))
    .filter(({ id }) => id !== left && id !== pane.forkedFrom && isFree(id))
    .filter((each) => isOfFolder(each, pane.cwd) && isSince(bornAt(each), pane) && !isCopyOf(each, before))
    .filter((each) => before === undefined || isSequel(each, before));
  return found.sort((a, b) => bornAt(b) - bornAt(a))[0] ?? null;
}

function isOfFork(each: Transcript, parentId: SessionId, parent: Transcript | undefined): boolean {
  if (each.id === parentId) return false;
  return parent === undefined || beginsIn(each, parent) || each.facts.beginsWithClear === true;
}

export function isOfFolder({ facts }: Transcript, cwd: string | null): boolean {
  return cwd !== null && (facts.lastCwd === cwd || facts.firstCwd === cwd);
}

/** Whether what happened then was while the pane's process ran, for certain. */
export function isSince(atMs: number, { startedAtMs }: Claimant): boolean {
  return startedAtMs !== null && atMs >= startedAtMs;
}

function isOfEnded(each: Transcript, pane: Claimant, byId: Archive["byId"]): boolean {
  if (pane.cached === null || each.id === pane.cached) return true;
  const seen = byId.get(pane.cached);
  if (!isSinceSeen(each, seen, pane)) return false;
  return (seen !== undefined && isBegunInside(seen)) || !pane.cachedDescendsFrom(each.id);
}

function isSinceSeen(each: Transcript, seen: Transcript | undefined, { registeredAtMs }: Claimant): boolean {
  if (seen !== undefined) return each.modifiedAtMs > seen.modifiedAtMs;
  return registeredAtMs !== null && bornAt(each) >= registeredAtMs;
}

/** By a process that had another session before; such a one has its transcript from the beginning. */
function isBegunInside({ facts }: Transcript): boolean {
  return facts.beginsWithClear === true || facts.forkedFrom !== null;
}

/** A copy that names its origin was made inside the client, by `/branch`: it belongs to the same process. */
function isCopyOf(each: Transcript, other: Transcript | undefined): boolean {
  if (other === undefined || each.facts.forkedFrom?.sessionId === other.id) return false;
  return beginsIn(each, other) || beginsIn(other, each);
}

/** The last record of the one before may be the very command that ended it; of two `/clear` only the second counts. */
function isSequel(later: Transcript, before: Transcript): boolean {
  const lastAtMs = before.facts.lastAtMs ?? before.modifiedAtMs;
  return bornAt(later) > bornAt(before) && lastAtMs <= bornAt(later) + slackMs;
}

/** A file system without birth times leaves the first record. */
function bornAt({ bornAtMs, facts, modifiedAtMs }: Transcript): number {
  return bornAtMs ?? facts.firstAtMs ?? modifiedAtMs;
}
