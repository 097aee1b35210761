// What transcripts prove about an agent that has no registry entry or has ended. Pure.
//
// - Records prove where a session came from: `/branch` writes the origin; 2.1.325 writes the session that the
//   process began with.
// - A sequel begins after the session before it, and that session is silent since.
// - A process can only have begun a session that is not older than the process, and not after its end.
// - Any other session in the agent's folder that was written since, later than the last dated record of the known
//   session, is a rival: the agent may have gone there by `/clear` or `/resume`.
// - A process started as a fork of P never continues P by its title. It owns only a copy of P.
// - A title counts only if exactly one transcript in the agent's folder has it.

import { groupBy } from "../../base/group-by.js";
import { once } from "../../base/once.js";
import type { SessionId } from "../../names/gates.js";
import type { AgentKind } from "../../names/kind.js";
import { beginsIn } from "../../transcripts/lineage/families.js";
import type { TeamMember, Transcript } from "../../transcripts/transcript.js";

export type EvidenceSource = "registry" | "hook" | "screen" | "args" | "records" | "title" | "cache";

export interface Evidence {
  source: EvidenceSource;
  uuid: SessionId;
  chosen: boolean;
  /** It could be this session or another, so none is chosen. */
  ambiguous: boolean;
  reason: string;
}

export function evidence(source: EvidenceSource, uuid: SessionId, reason: string): Evidence {
  return { source, uuid, chosen: false, ambiguous: false, reason };
}

export function doubt(source: EvidenceSource, uuid: SessionId, why: string): Evidence {
  return { ...evidence(source, uuid, `ambiguous: ${why}`), ambiguous: true };
}

/** All transcripts, with the lookups that claims need. */
export interface Archive {
  all: readonly Transcript[];
  /** If one id has several files, the one written last. */
  byId: ReadonlyMap<SessionId, Transcript>;
  /** The transcripts in byId with this title. */
  titled(title: string): readonly Transcript[];
}

export function archiveOf(transcripts: readonly Transcript[]): Archive {
  const byId = new Map<SessionId, Transcript>();
  for (const each of transcripts) {
    const known = byId.get(each.id);
    if (known === undefined || known.modifiedAtMs < each.modifiedAtMs) byId.set(each.id, each);
  }
  const byTitle = once(() => groupBy(byId.values(), ({ facts }) => facts.title));
  return { all: transcripts, byId, titled: (title) => byTitle().get(title) ?? [] };
}

/** The archive of each family: an agent is never in a conversation of another kind of client. */
export function archivesOf(transcripts: readonly Transcript[]): (family: AgentKind | null) => Archive {
  const known = new Map<AgentKind | null, Archive>();
  return (family) => {
    const own = () => transcripts.filter(({ kind }) => family === null || kind === family);
    const archive = known.get(family) ?? archiveOf(own());
    known.set(family, archive);
    return archive;
  };
}

export interface Claimant {
  /** Whose conversations it can be in; null or absent if that is unknown. */
  family?: AgentKind | null;
  /** The name of an agent team's member in its records. */
  member: TeamMember | null;
  title: string | null;
  cwd: string | null;
  /** The start of its process; null if no agent runs. */
  startedAtMs: number | null;
  /** When the pane's process ended; null while it runs, or if unknown. */
  endedAtMs: number | null;
  forkedFrom: SessionId | null;
  /** The session last seen in the pane. */
  cached: SessionId | null;
  /** When the pane was given its role or that session, or later; null if unknown. */
  registeredAtMs: number | null;
}

/** Whether no other agent is known to have the session. */
export type IsFree = (id: SessionId) => boolean;

export interface EndedAgent extends Claimant {
  /** The title of its conversation, from its last words on the screen. */
  saidTitle: string | null;
}

export interface Others {
  /** The session was last seen with another agent. */
  isSeenWithAnother: IsFree;
  /** A running agent has it and began it. A session that an agent only resumed may be another's. */
  isBegunElsewhere: IsFree;
  /** A process outside the panes has it, by its registry file. */
  isHeldElsewhere: IsFree;
}

/** Record times and file times are taken at different moments of one write. */
const slackMs = 2_000;

/** The last session this process continued to after `from`, as far as records prove it; `from` itself if none. */
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

/** Other sessions that the pane's process may be in instead of `current`, last written first. */
export function rivalsOf(current: SessionId, pane: Claimant, archive: Archive, isFree: IsFree): Transcript[] {
  const own = archive.byId.get(current);
  // Not the file's time: 2.1.325 writes its costs into the session that it has just left.
  const spokeAtMs = own === undefined ? 0 : lastAt(own);
  return archive.all
    .filter((each) => each.id !== current && isFree(each.id) && isOfFolder(each, pane.cwd))
    .filter((each) => isSince(each.modifiedAtMs, pane) && each.modifiedAtMs > spokeAtMs)
    .filter((each) => own === undefined || !isLeftFor(own, each))
    .sort((a, b) => b.modifiedAtMs - a.modifiedAtMs);
}

/** The sessions that the last seen one, `cached`, may have continued in. */
export function endedEvidence(
  agent: EndedAgent,
  seen: SessionId,
  archive: Archive,
  others: Others,
): Evidence[] {
  const isFree = (id: SessionId) => !others.isBegunElsewhere(id) && !others.isSeenWithAnother(id);
  const called = archive.byId.get(seen)?.facts.title ?? agent.title;
  if (agent.saidTitle !== null && agent.saidTitle !== called)
    return ofTitle(agent.saidTitle, seen, titledLike(agent, archive, isFree));
  const last = provenSequel(seen, agent, archive, isFree);
  if (last !== seen) {
    const reason = `its records say that it follows ${seen}`;
    const isProven = agent.endedAtMs !== null && !others.isHeldElsewhere(last);
    return [isProven ? evidence("records", last, reason) : doubt("records", last, reason)];
  }
  const why = `begun by /clear after ${seen} was seen here: it may be this agent's`;
  return possibleSequels(agent, archive, isFree).map(({ id }) => doubt("records", id, why));
}

/** For an agent whose last words name a different title than its last seen session has. */
function ofTitle(title: string, seen: SessionId, like: readonly Transcript[]): Evidence[] {
  const [only] = like;
  if (only !== undefined && like.length === 1)
    return [evidence("screen", only.id, `its last words name the title ${title}`)];
  const why = `its last words name the title ${title}`;
  return [...like.map(({ id }) => doubt("screen", id, why)), doubt("screen", seen, why)];
}

/**
 * Sessions an ended agent may have continued in, though no record says so: begun by `/clear` with the same title or
 * none, in the same folder, after the last seen session fell silent and before the agent's end.
 */
function possibleSequels(pane: Claimant, archive: Archive, isFree: IsFree): Transcript[] {
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

/** The transcripts that a member of an agent team wrote since its process started, by their records. */
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

/** The transcripts that match the title of a running agent for which there is no other evidence. */
export function titleClaims(pane: Claimant, archive: Archive, isFree: IsFree): Transcript[] {
  const parent = pane.forkedFrom === null ? undefined : archive.byId.get(pane.forkedFrom);
  const titled = pane.title === null ? [] : archive.titled(pane.title);
  return titled
    .filter((each) => isOfFolder(each, pane.cwd) && isFree(each.id))
    .filter((each) => pane.startedAtMs === null || isSince(each.modifiedAtMs, pane))
    .filter((each) => pane.endedAtMs === null || bornAt(each) <= pane.endedAtMs)
    .filter(({ id }) => id !== pane.forkedFrom)
    .filter((each) => parent === undefined || beginsIn(each, parent));
}

/** The transcripts in the agent's folder that have the title in its last words. */
function titledLike(pane: EndedAgent, { byId }: Archive, isFree: IsFree): Transcript[] {
  const seen = pane.cached === null ? undefined : byId.get(pane.cached);
  const cwd = seen?.facts.lastCwd ?? pane.cwd;
  return [...byId.values()].filter(
    (each) => each.facts.title === pane.saidTitle && isFree(each.id) && isOfFolder(each, cwd),
  );
}

function isBegunBy(began: ReadonlySet<SessionId>, facts: Transcript["facts"]): boolean {
  return facts.beginsWithClear === true && facts.startedAs !== null && began.has(facts.startedAs);
}

/**
 * Another process that resumed the first session could have begun `next` too; then the first one was written since.
 */
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

/** The last record before may be the very command that ended the session. Of two `/clear` only the second counts. */
function isSequel(later: Transcript, before: Transcript): boolean {
  return bornAt(later) > bornAt(before) && lastAt(before) <= bornAt(later) + slackMs;
}

function lastAt({ facts, modifiedAtMs }: Transcript): number {
  return facts.lastAtMs ?? modifiedAtMs;
}

/** On a file system without birth times, the first record's time. */
export function bornAt({ bornAtMs, facts, modifiedAtMs }: Transcript): number {
  return bornAtMs ?? facts.firstAtMs ?? modifiedAtMs;
}
