// Which session is in which pane: evidence, graded and shown. Pure.
//
// [WS1] Strongest first: the client's live registry, a hook's report, the process arguments, the title, the cache. Of an
//       agent that has ended the title tells only what it went on to since it was last seen ([CL5], [CL6]).
// [WS2] A newer hook report, or a transcript that only this pane can have gone on to by `/clear`, corrects the registry;
//       the latter only where the transcript of what the registry names shows that it was left.
// [WS3] Arguments are true for the start: a later session that only this pane can have gone on to beats them.
// [WS4] No uuid is given to a pane that stronger evidence, or a running agent, gives to another; none by its title that a
//       process elsewhere has by its own registry. A process whose registry or hook speaks is never told by its arguments.
// [WS5] Two panes with equal claims are ambiguous: neither gets the session, nor what the cache once said. Of agents that
//       have ended the one it was last seen with has the better claim.
// [WS6] The newest transcript of a folder is never proof: without a matching title it is no evidence at all.
// [WS7] Where a session is missed that may lie where nobody could look, its state is unknown, never broken.

import type { LiveSession } from "../agents/agent.js";
import { limits } from "../limits.js";
import type { PaneId, SessionId } from "../names/gates.js";
import type { Transcript } from "../transcripts/transcript.js";
import { type Archive, archiveOf, type Claimant, successorOf, titleClaims } from "./claims.js";

export type SessionState = "live" | "stable" | "stale" | "broken" | "unknown";
export type EvidenceSource = "registry" | "hook" | "args" | "title" | "cache";

export interface Evidence {
  source: EvidenceSource;
  uuid: SessionId;
  chosen: boolean;
  reason: string;
}

export interface Discovery {
  uuid: SessionId | null;
  state: SessionState;
  title: string | null;
  evidence: Evidence[];
}

/** What is known of a pane before any transcript is looked at. */
export interface Subject extends Claimant {
  id: PaneId;
  address: string;
  live: LiveSession | null;
  hook: { sessionId: SessionId; atMs: number } | null;
  /** The session its process arguments say it began in. */
  began: SessionId | null;
}

export function discoverAll(
  subjects: readonly Subject[],
  transcripts: readonly Transcript[],
  nowMs: number,
  isHeldElsewhere: (id: SessionId) => boolean = () => false,
  isHidden: (id: SessionId) => boolean = () => false,
): Map<PaneId, Discovery> {
  const archive = archiveOf(transcripts, subjects);
  const found = new Map(subjects.map((subject) => [subject.id, firmEvidence(subject)]));
  const holders = strongestHolders(found);
  const isOpenTo = (pane: PaneId) => (id: SessionId) => isFree(holders, pane)(id) && !isHeldElsewhere(id);
  succeed(subjects, found, archive, holders, isOpenTo);
  // Running agents first: what is left over may be what an ended one was.
  for (const isRunning of [true, false]) {
    const isOpen = ({ id, startedAtMs }: Subject) =>
      found.get(id)!.length === 0 && (startedAtMs !== null) === isRunning;
    claimByTitle(subjects.filter(isOpen), found, archive, holders, isOpenTo);
  }
  return new Map(
    subjects.map((subject) => [
      subject.id,
      conclude(subject, found.get(subject.id)!, archive, holders, { nowMs, isHidden }),
    ]),
  );
}

/** Whether a pane has a session by evidence at least as strong as any other pane's, transcripts aside. */
export function firmHolders(subjects: readonly Subject[]): (pane: PaneId, id: SessionId) => boolean {
  const holders = strongestHolders(new Map(subjects.map((subject) => [subject.id, firmEvidence(subject)])));
  return (pane, id) => isFree(holders, pane)(id);
}

type Found = Map<PaneId, Evidence[]>;

/** Whether a pane can lay claim to a session by a transcript. */
type OpenTo = (pane: PaneId) => (id: SessionId) => boolean;

/** Which panes have a session by the strongest evidence there is for it. Two may: two processes can resume one. */
type Holders = Map<SessionId, Set<PaneId>>;

function isFree(holders: Holders, pane: PaneId): (id: SessionId) => boolean {
  return (id) => holders.get(id)?.has(pane) ?? true;
}

function strongestHolders(found: Found): Holders {
  const holders: Holders = new Map();
  for (const source of ["registry", "hook", "args"]) {
    const claims = [...found].filter(([, evidence]) => strengthOf(evidence) === source);
    const fresh = claims.filter(([, [strongest]]) => !holders.has(strongest!.uuid));
    for (const [pane, [strongest]] of fresh) {
      holders.set(strongest!.uuid, (holders.get(strongest!.uuid) ?? new Set()).add(pane));
    }
  }
  return holders;
}

/** A hook that corrects the registry speaks of the process that the registry knows. */
function strengthOf(evidence: readonly Evidence[]): EvidenceSource | undefined {
  const isRegistered = evidence.some(({ source }) => source === "registry");
  return isRegistered ? "registry" : evidence[0]?.source;
}

/** What speaks of this very process, strongest first. */
function firmEvidence({ live, hook, began }: Subject): Evidence[] {
  const found: Evidence[] = [];
  const isCorrected = live !== null && hook !== null && hook.atMs > (live.updatedAtMs ?? 0);
  const add = (source: EvidenceSource, uuid: SessionId | null | undefined, reason: string) => {
    if (uuid) found.push({ source, uuid, chosen: false, reason });
  };
  if (isCorrected) add("hook", hook.sessionId, "a hook's report, newer than the registry");
  add("registry", live?.sessionId, "the client's registry, for this very process");
  if (!isCorrected) add("hook", hook?.sessionId, "a hook's report of this process");
  add("args", began, "the process was started with it");
  return found;
}

/** Where the strongest evidence may lag behind, the session that only this pane can have gone on to comes before it. */
function succeed(
  subjects: readonly Subject[],
  found: Found,
  archive: Archive,
  holders: Holders,
  isOpenTo: OpenTo,
): void {
  const claims = new Map<Transcript, Subject[]>();
  for (const subject of subjects) {
    const [strongest] = found.get(subject.id)!;
    if (strongest === undefined || strongest.source === "hook") continue;
    // Of a session without a transcript nobody can say that it was left: the registry is believed.
    if (strongest.source === "registry" && !archive.byId.has(strongest.uuid)) continue;
    const next = successorOf(strongest.uuid, subject, archive, isOpenTo(subject.id));
    if (next === null || (strongest.source === "registry" && next.facts.beginsWithClear !== true)) continue;
    claims.set(next, [...(claims.get(next) ?? []), subject]);
  }
  for (const [next, claimants] of claims) {
    const [only, ...others] = claimants;
    if (others.length > 0) continue;
    const evidence = found.get(only!.id)!;
    const reason = `begun later by this process: ${evidence[0]!.uuid} has been silent since`;
    evidence.unshift({ source: "title", uuid: next.id, chosen: false, reason });
    holders.set(next.id, new Set([only!.id]));
  }
}

function claimByTitle(
  open: readonly Subject[],
  found: Found,
  archive: Archive,
  holders: Holders,
  isOpenTo: OpenTo,
): void {
  const best = new Map(
    open.map((subject) => {
      const isFreeHere = isOpenTo(subject.id);
      const isOpen = (id: SessionId) => isFreeHere(id) && !isSeenElsewhere(id, subject, open);
      return [subject, titleClaims(subject, archive, isOpen)[0]];
    }),
  );
  for (const [subject, claimed] of best) {
    if (claimed === undefined) continue;
    const rivals = open.filter((other) => other !== subject && best.get(other)?.id === claimed.id);
    const reason =
      rivals.length > 0
        ? `ambiguous: ${rivals.map(({ address }) => address).join(", ")} can claim it as well`
        : "the last written transcript of this title";
    found.get(subject.id)!.push({ source: "title", uuid: claimed.id, chosen: false, reason });
    if (rivals.length === 0) holders.set(claimed.id, new Set([subject.id]));
  }
}

/** Among agents that have ended: what was last seen with another of them. */
function isSeenElsewhere(id: SessionId, { cached, startedAtMs }: Subject, open: readonly Subject[]): boolean {
  return startedAtMs === null && cached !== id && open.some((other) => other.cached === id);
}

interface Look {
  nowMs: number;
  /** A transcript of it may be where nobody could look. */
  isHidden(id: SessionId): boolean;
}

function conclude(
  subject: Subject,
  evidence: Evidence[],
  archive: Archive,
  holders: Holders,
  look: Look,
): Discovery {
  const isChoice = isFree(holders, subject.id);
  const isAmbiguous = evidence.some(({ reason }) => reason.startsWith("ambiguous"));
  if (subject.cached !== null) {
    const reason = isChoice(subject.cached) ? "what was last seen here" : "in another pane by now";
    evidence.push({ source: "cache", uuid: subject.cached, chosen: false, reason });
  }
  const isTold = evidence.some(({ source }) => source === "registry" || source === "hook");
  const chosen = evidence.find(
    ({ source, uuid }) => !isAmbiguous && isChoice(uuid) && !(isTold && source === "args"),
  );
  if (chosen !== undefined) chosen.chosen = true;
  const uuid = chosen?.uuid ?? null;
  const transcript = uuid === null ? undefined : archive.byId.get(uuid);
  return {
    uuid,
    state: stateOf(subject, chosen, transcript, look),
    title: transcript?.facts.title ?? subject.live?.name ?? subject.title,
    evidence,
  };
}

export function runningState(modifiedAtMs: number | null, nowMs: number): SessionState {
  return modifiedAtMs !== null && nowMs - modifiedAtMs < limits.liveAgeMs ? "live" : "stable";
}

function stateOf(
  subject: Subject,
  chosen: Evidence | undefined,
  transcript: Transcript | undefined,
  { nowMs, isHidden }: Look,
): SessionState {
  if (chosen === undefined) return "unknown";
  const isEnded = subject.startedAtMs === null;
  if (transcript === undefined && (isEnded || chosen.source === "cache"))
    return isHidden(chosen.uuid) ? "unknown" : "broken";
  if (isEnded) return "stale";
  return runningState(transcript?.modifiedAtMs ?? null, nowMs);
}
