// What transcripts tell of an agent that cannot say itself which session it is in. Pure.
//
// [CL1] Records prove where a session came from: `/branch` writes the origin, 2.1.325 writes the session that the process
//       began with. Such a sequel was begun after the session before it, which has been silent since.
// [CL2] A process can only have begun what is no older than the process, and an ended one nothing after its end.
// [CL3] Whatever else was written in its folder since, and later than the last dated record of the session we know, is
//       a rival: the agent may be in it, by `/clear` or `/resume`, and nothing tells.
// [CL4] A process started as a fork of P never goes on to P by its title, and owns only a copy of P.
// [CL5] A title speaks only for the one transcript that has it in the agent's folder.

import type { SessionId } from "../names/gates.js";
import { beginsIn } from "../transcripts/families.js";
import type { TeamMember, Transcript } from "../transcripts/transcript.js";

/** All transcripts, as claims look them up. */
export interface Archive {
  all: readonly Transcript[];
  /** Of several files of one id the one that was written last. */
  byId: ReadonlyMap<SessionId, Transcript>;
  /** Of those the ones of this title. */
  titled(title: string): readonly Transcript[];
}

export function archiveOf(transcripts: readonly Transcript[]): Archive {
  const byId = new Map<SessionId, Transcript>();
  for (const each of transcripts) {
    const known = byId.get(each.id);
    if (known === undefined || known.modifiedAtMs < each.modifiedAtMs) byId.set(each.id, each);
  }
  let byTitle: ReadonlyMap<string, readonly Transcript[]> | undefined;
  const titled = (title: string) => {
    byTitle ??= groupByTitle(byId.values());
    return byTitle.get(title) ?? [];
  };
  return { all: transcripts, byId, titled };
}

function groupByTitle(transcripts: Iterable<Transcript>): Map<string, Transcript[]> {
  const groups = new Map<string, Transcript[]>();
  for (const each of transcripts) {
    const { title } = each.facts;
    const group = title === null ? undefined : groups.get(title);
    if (group !== undefined) group.push(each);
    else if (title !== null) groups.set(title, [each]);
  }
  return groups;
}

export interface Claimant {
  /** What the records call it that this process writes, if it is a member of an agent team. */
  member: TeamMember | null;
  title: string | null;
  cwd: string | null;
  /** Not before its process started; null when no agent runs. */
  startedAtMs: number | null;
  /** When the pane's process ended; null while it runs, and where nobody knows. */
  endedAtMs: number | null;
  forkedFrom: SessionId | null;
  /** The session that was last seen in the pane. */
  cached: SessionId | null;
  /** Not after the pane was given its role or that session; null where nobody knows. */
  registeredAtMs: number | null;
}

/** Whether a session is not known to be another agent's. */
export type IsFree = (id: SessionId) => boolean;

/** The times in records and those of files come from different moments of one write. */
const slackMs = 2_000;

/** The last session that this process went on to after `from`, as far as records prove it; `from` itself if none. */
export function provenSequel(from: SessionId, pane: Claimant, archive: Archive, isFree: IsFree): SessionId {
  const began = new Set([from, archive.byId.get(from)?.facts.startedAs ?? from]);
  let last = from;
  for (const passed = new Set([from]); ; passed.add(last)) {
    const before = archive.byId.get(last);
    const next = archive.all
      .filter((each) => !passed.has(each.id) && isFree(each.id) && isInLife(bornAt(each), pane))
      .filter(({ facts }) => facts.forkedFrom?.sessionId === last || isBegunBy(began, facts))
      .filter((each) => before === undefined || isSequel(each, before))
      .filter((each) => isSilentSince(began, last, each, archive));
    if (next.length === 0) return last;
    last = next.reduce((a, b) => (bornAt(b) > bornAt(a) ? b : a)).id;
  }
}

/** Sessions that the pane's process may be in as well as in `current`, last written first. */
export function rivalsOf(current: SessionId, pane: Claimant, archive: Archive, isFree: IsFree): Transcript[] {
  const own = archive.byId.get(current);
  // Not when its file changed: 2.1.325 writes its costs into the session that it has just left.
  const spokeAtMs = own === undefined ? 0 : lastAt(own);
  return archive.all
    .filter((each) => each.id !== current && isFree(each.id) && isOfFolder(each, pane.cwd))
    .filter((each) => isSince(each.modifiedAtMs, pane) && each.modifiedAtMs > spokeAtMs)
    .filter((each) => own === undefined || !isLeftFor(own, each))
    .sort((a, b) => b.modifiedAtMs - a.modifiedAtMs);
}

/**
 * What an ended agent may have gone on to from the session it was last seen in, though no record says so: begun by
 * `/clear` under no other name, in the same folder, after that session fell silent and before the agent's end.
 */
export function possibleSequels(pane: Claimant, archive: Archive, isFree: IsFree): Transcript[] {
  const seen = pane.cached === null ? undefined : archive.byId.get(pane.cached);
  const title = seen?.facts.title ?? pane.title;
  return (
    archive.all
      // The client may end before it has copied the title.
      .filter(({ id, facts }) => id !== pane.cached && (facts.title === null || facts.title === title))
      .filter(({ facts }) => facts.beginsWithClear === true && facts.startedAs === null)
      .filter((each) => isFree(each.id) && isOfFolder(each, seen?.facts.lastCwd ?? pane.cwd))
      .filter((each) => isInLife(bornAt(each), pane) && bornAt(each) >= (pane.registeredAtMs ?? 0))
      .filter((each) => (seen === undefined ? pane.registeredAtMs !== null : isSequel(each, seen)))
  );
}

/** What a member of an agent team wrote since its process started, as the records say. */
export function memberClaims(pane: Claimant, { byId }: Archive, isFree: IsFree): Transcript[] {
  const { member } = pane;
  if (member === null) return [];
  return [...byId.values()].filter(
    (each) =>
      each.facts.member?.team === member.team &&
      each.facts.member.name === member.name &&
      isFree(each.id) &&
      isSince(each.modifiedAtMs, pane),
  );
}

/** What the title of a running agent without any word of its own speaks for. */
export function titleClaims(pane: Claimant, archive: Archive, isFree: IsFree): Transcript[] {
  const parent = pane.forkedFrom === null ? undefined : archive.byId.get(pane.forkedFrom);
  return titled(pane, archive)
    .filter(({ id }) => isFree(id))
    .filter((each) => pane.startedAtMs === null || isSince(each.modifiedAtMs, pane))
    .filter((each) => pane.endedAtMs === null || bornAt(each) <= pane.endedAtMs)
    .filter((each) => pane.forkedFrom === null || isOfFork(each, pane.forkedFrom, parent));
}

/** The transcripts of the title that an ended agent named last, in its folder. */
export function titledLike(
  pane: Claimant & { saidTitle: string | null },
  { byId }: Archive,
  isFree: IsFree,
): Transcript[] {
  const seen = pane.cached === null ? undefined : byId.get(pane.cached);
  const cwd = seen?.facts.lastCwd ?? pane.cwd;
  return [...byId.values()].filter(
    (each) => each.facts.title === pane.saidTitle && isFree(each.id) && isOfFolder(each, cwd),
  );
}

function titled({ title, cwd }: Claimant, archive: Archive): Transcript[] {
  return title === null ? [] : archive.titled(title).filter((each) => isOfFolder(each, cwd));
}

function isOfFork(each: Transcript, parentId: SessionId, parent: Transcript | undefined): boolean {
  return each.id !== parentId && (parent === undefined || beginsIn(each, parent));
}

function isBegunBy(began: ReadonlySet<SessionId>, facts: Transcript["facts"]): boolean {
  return facts.beginsWithClear === true && facts.startedAs !== null && began.has(facts.startedAs);
}

/** Somebody who resumed the process's first session could have begun the same: then that one was written since. */
function isSilentSince(
  began: ReadonlySet<SessionId>,
  last: SessionId,
  next: Transcript,
  { byId }: Archive,
): boolean {
  const others = [...began].filter((id) => id !== last).flatMap((id) => byId.get(id) ?? []);
  return others.every((each) => lastAt(each) <= bornAt(next) + slackMs);
}

export function isOfFolder({ facts }: Transcript, cwd: string | null): boolean {
  return cwd !== null && (facts.lastCwd === cwd || facts.firstCwd === cwd);
}

function isSince(atMs: number, { startedAtMs }: Claimant): boolean {
  return startedAtMs !== null && atMs >= startedAtMs;
}

function isInLife(atMs: number, { startedAtMs, endedAtMs }: Claimant): boolean {
  return (startedAtMs === null || atMs >= startedAtMs) && (endedAtMs === null || atMs <= endedAtMs);
}

/** `/branch` copies records with their old dates, and the client writes its costs into the origin a moment later. */
function isLeftFor(branch: Transcript, { id, modifiedAtMs }: Transcript): boolean {
  return branch.facts.forkedFrom?.sessionId === id && modifiedAtMs <= bornAt(branch) + slackMs;
}

/** The last record of the one before may be the very command that ended it; of two `/clear` only the second counts. */
function isSequel(later: Transcript, before: Transcript): boolean {
  return bornAt(later) > bornAt(before) && lastAt(before) <= bornAt(later) + slackMs;
}

function lastAt({ facts, modifiedAtMs }: Transcript): number {
  return facts.lastAtMs ?? modifiedAtMs;
}

/** A file system without birth times leaves the first record. */
export function bornAt({ bornAtMs, facts, modifiedAtMs }: Transcript): number {
  return bornAtMs ?? facts.firstAtMs ?? modifiedAtMs;
}
