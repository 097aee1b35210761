// Which session is in which pane: evidence, graded and shown. Pure.
//
// [WS1] Of a running agent, strongest first: the client's live registry, a hook's report, the process arguments, the
//       title, what was last seen in the pane. Only a newer hook report of the same process corrects the registry.
// [WS2] Arguments tell how the process was started. Records can prove what it went on to; where it may have gone on to
//       another session and nothing tells, the answer is unknown.
// [WS3] What was last seen in a pane counts for a running agent only if it was written down while this process ran.
// [WS4] No session is given to a pane that stronger evidence, or a running agent, gives to another; none by a title or a
//       record that a process elsewhere has by its own registry.
// [WS5] Two panes with equal claims are ambiguous: neither gets the session. Of ended agents the one it was last seen
//       with has the better claim.
// [WS6] Of an ended agent, strongest first: what its own process left behind (its registry file, its last report, its
//       last words), then what was last seen in the pane and what records prove it went on to. Where another session
//       could be its own as well, both are named and none is given.
// [WS7] Where a session is missed that may lie where nobody could look, its state is unknown, never broken.

import type { LiveSession } from "../agents/agent.js";
import { limits } from "../limits.js";
import type { PaneId, SessionId } from "../names/gates.js";
import type { Transcript } from "../transcripts/transcript.js";
import {
  type Archive,
  archiveOf,
  type Claimant,
  type IsFree,
  memberClaims,
  provenSequel,
  rivalsOf,
  titleClaims,
} from "./claims.js";
import { type EndedAgent, endedEvidence, isBegunBy, type Others } from "./ended-evidence.js";
import { doubt, type Evidence, type EvidenceSource, evidence } from "./evidence.js";

export type { Evidence, EvidenceSource } from "./evidence.js";

export type SessionState = "live" | "stable" | "stale" | "broken" | "unknown";
export interface Discovery {
  uuid: SessionId | null;
  state: SessionState;
  title: string | null;
  evidence: Evidence[];
}

/** What is known of a pane before any transcript is looked at. */
export interface Subject extends EndedAgent {
  id: PaneId;
  address: string;
  live: LiveSession | null;
  hook: { sessionId: SessionId; atMs: number } | null;
  /** The session its process arguments say it began in. */
  began: SessionId | null;
  /** What the process of an ended agent left behind, strongest first. */
  left: readonly LeftBehind[];
  /** Sessions that the pane may show, where nothing tells which. */
  maybe: readonly SessionId[];
}

export interface LeftBehind {
  source: "registry" | "hook" | "screen";
  uuid: SessionId;
}

export function discoverAll(
  subjects: readonly Subject[],
  transcripts: readonly Transcript[],
  nowMs: number,
  { isHeldElsewhere = () => false, isHidden = () => false, fileOf }: Beside = {},
): Map<PaneId, Discovery> {
  const archive = archiveOf(transcripts);
  const lastWritten = (_: PaneId, id: SessionId) => archive.byId.get(id) ?? null;
  const look: Look = { archive, nowMs, isHidden, fileOf: fileOf ?? lastWritten };
  const found: Found = new Map(subjects.map((subject) => [subject.id, firmEvidence(subject)]));
  const holders = strongestHolders(subjects, found);
  const isOpenTo = (pane: PaneId): IsFree => {
    const isFree = isFreeTo(holders, pane);
    return (id) => isFree(id) && !isHeldElsewhere(id);
  };
  const [running, ended] = [subjects.filter(isRunning), subjects.filter((each) => !isRunning(each))];
  const untold = running.filter(({ id }) => found.get(id)!.length === 0);
  claimAlone(untold.filter(isMember), memberClaims, "records", found, holders, isOpenTo, look);
  // Forks first: what they own is no rival of the agents beside them.
  for (const isFork of [true, false]) {
    const asking = untold.filter((each) => !isMember(each) && (each.forkedFrom !== null) === isFork);
    claimAlone(asking, titleClaims, "title", found, holders, isOpenTo, look);
  }
  for (const subject of running) goOn(subject, found, holders, isOpenTo(subject.id), look);
  const startOf = new Map(running.map(({ id, startedAtMs }) => [id, startedAtMs!]));
  const startsOf = (id: SessionId) => [...(holders.get(id) ?? [])].flatMap((pane) => startOf.get(pane) ?? []);
  for (const subject of ended) {
    const { id, cached } = subject;
    if (cached === null || found.get(id)!.length > 0) continue;
    const others: Others = {
      isSeenWithAnother: (session) => subjects.some((other) => other !== subject && other.cached === session),
      isBegunElsewhere: (session) => isBegunBy(startsOf(session), archive.byId.get(session)),
      isHeldElsewhere,
    };
    found.get(id)!.push(...endedEvidence(subject, cached, archive, others));
  }
  const bare = ended.filter(({ id, cached }) => found.get(id)!.length === 0 && cached === null);
  // Two agents can have ended in one session, one after the other.
  const last = ended.flatMap(({ id }) => {
    const [strongest] = found.get(id)!;
    return strongest?.ambiguous === false && isOpenTo(id)(strongest.uuid)
      ? [{ id, uuid: strongest.uuid }]
      : [];
  });
  for (const { id, uuid } of last) hold(holders, uuid, id);
  claimAlone(bare, titleClaims, "title", found, holders, isOpenTo, look);
  return new Map(
    subjects.map((subject) => [subject.id, conclude(subject, found.get(subject.id)!, holders, look)]),
  );
}

/** What else is known while panes and transcripts are compared. */
export interface Beside {
  /** A process outside the panes has it by its own registry. */
  isHeldElsewhere?(id: SessionId): boolean;
  /** A transcript of it may be where nobody could look. */
  isHidden?(id: SessionId): boolean;
  /** Of several files of one session the one of this pane; without it the one that was written last. */
  fileOf?(pane: PaneId, id: SessionId): Transcript | null;
}

type Found = Map<PaneId, Evidence[]>;
type OpenTo = (pane: PaneId) => IsFree;

interface Look extends Required<Pick<Beside, "isHidden" | "fileOf">> {
  archive: Archive;
  nowMs: number;
}

/** Which panes have a session by the strongest evidence there is for it. Two may: two processes can resume one. */
type Holders = Map<SessionId, Set<PaneId>>;

function isFreeTo(holders: Holders, pane: PaneId): IsFree {
  return (id) => holders.get(id)?.has(pane) ?? true;
}

function strongestHolders(subjects: readonly Subject[], found: Found): Holders {
  const holders: Holders = new Map();
  for (const source of ["registry", "hook", "args"]) {
    const claims = subjects.filter((each) => isRunning(each) && strengthOf(found.get(each.id)!) === source);
    const fresh = claims.filter(({ id }) => !holders.has(found.get(id)![0]!.uuid));
    for (const { id } of fresh) hold(holders, found.get(id)![0]!.uuid, id);
  }
  return holders;
}

function hold(holders: Holders, session: SessionId, pane: PaneId): void {
  holders.set(session, (holders.get(session) ?? new Set()).add(pane));
}

/** A hook that corrects the registry speaks of the process that the registry knows. */
function strengthOf(evidence: readonly Evidence[]): EvidenceSource | undefined {
  const isRegistered = evidence.some(({ source }) => source === "registry");
  return isRegistered ? "registry" : evidence[0]?.source;
}

function isRunning({ startedAtMs }: Claimant): boolean {
  return startedAtMs !== null;
}

/** What speaks of this very process, strongest first. */
function firmEvidence({ live, hook, began, left, maybe }: Subject): Evidence[] {
  const found: Evidence[] = left.map(({ source, uuid }) => evidence(source, uuid, leftReasons[source]));
  const isCorrected = live !== null && hook !== null && hook.atMs > (live.updatedAtMs ?? 0);
  const add = (source: EvidenceSource, uuid: SessionId | null | undefined, reason: string) => {
    if (uuid) found.push(evidence(source, uuid, reason));
  };
  if (isCorrected) add("hook", hook.sessionId, "a hook's report, newer than the registry");
  add("registry", live?.sessionId, live?.reason ?? "the client's registry, for this very process");
  if (!isCorrected) add("hook", hook?.sessionId, "a hook's report of this process");
  add("args", began, "the process was started with it");
  return [...found, ...maybe.map((uuid) => doubt("title", uuid, "the pane may show it, or another"))];
}

const leftReasons: Readonly<Record<LeftBehind["source"], string>> = {
  registry: "the registry file that its process left behind",
  hook: "the last report of its process",
  screen: "its last words name it",
};

function isMember({ member }: Claimant): boolean {
  return member !== null;
}

/** By a name alone: only where one transcript can be meant, by one pane. */
function claimAlone(
  asking: readonly Subject[],
  claimsOf: typeof titleClaims,
  source: "title" | "records",
  found: Found,
  holders: Holders,
  isOpenTo: OpenTo,
  { archive }: Look,
): void {
  const claims = new Map(
    asking.map((subject) => [subject, claimsOf(subject, archive, isOpenTo(subject.id))]),
  );
  for (const [subject, claimed] of claims) {
    const isAlike = (other: Subject) =>
      other !== subject && claims.get(other)!.some((each) => claimed.includes(each));
    const rivals = asking.filter(isAlike).map(({ address }) => address);
    for (const { id } of claimed) {
      const others = [...rivals, ...claimed.flatMap((each) => (each.id === id ? [] : [each.id]))];
      const why =
        rivals.length > 0
          ? `${rivals.join(", ")} can claim it as well`
          : `${others.join(", ")} is called the same`;
      const isOnly = others.length === 0;
      const only = evidence(source, id, "the only transcript that is called so");
      found.get(subject.id)!.push(isOnly ? only : doubt(source, id, why));
      if (isOnly) hold(holders, id, subject.id);
    }
  }
}

/** A running agent that only its arguments speak for: what it went on to, or may have gone on to. */
function goOn(subject: Subject, found: Found, holders: Holders, isFree: IsFree, { archive }: Look): void {
  const own = found.get(subject.id)!;
  const [first] = own;
  if (first?.source !== "args") return;
  const last = provenSequel(first.uuid, subject, archive, isFree);
  if (last !== first.uuid) {
    own.unshift(evidence("records", last, `its records say that it follows ${first.uuid}`));
    hold(holders, last, subject.id);
  }
  for (const { id } of rivalsOf(last, subject, archive, isFree)) {
    own.push(doubt("records", id, `written later than ${last} in its folder, it may have gone on to it`));
  }
}

function conclude(subject: Subject, found: Evidence[], holders: Holders, look: Look): Discovery {
  const isChoice = isFreeTo(holders, subject.id);
  const isAmbiguous = found.some(({ ambiguous }) => ambiguous);
  if (subject.cached !== null) {
    const reason = !isChoice(subject.cached)
      ? "in another pane by now"
      : isOutdated(subject)
        ? "last seen here before this process started"
        : "what was last seen here";
    found.push(evidence("cache", subject.cached, reason));
  }
  // What an ended agent went on to may run elsewhere by now: what it was seen in before is not its last conversation.
  const isLeftBehind = !isRunning(subject) && found.some(({ source }) => source !== "cache");
  const isTold = found.some(({ source }) => source === "registry" || source === "hook");
  const chosen = found.find(
    ({ source, uuid }) =>
      !isAmbiguous &&
      isChoice(uuid) &&
      !(isTold && source === "args") &&
      !(source === "cache" && (isOutdated(subject) || isLeftBehind)),
  );
  if (chosen !== undefined) chosen.chosen = true;
  const uuid = chosen?.uuid ?? null;
  const transcript = uuid === null ? null : look.fileOf(subject.id, uuid);
  return {
    uuid,
    state: stateOf(subject, chosen, transcript, look),
    title: transcript?.facts.title ?? subject.live?.name ?? subject.title,
    evidence: found,
  };
}

function isOutdated({ startedAtMs, registeredAtMs }: Subject): boolean {
  return startedAtMs !== null && (registeredAtMs === null || registeredAtMs < startedAtMs);
}

/** The sessions of which one must be the right one; none where the answer is known, or nothing speaks. */
export function couldBe({ uuid, evidence }: Pick<Discovery, "uuid" | "evidence">): SessionId[] {
  if (uuid !== null || !evidence.some(({ ambiguous }) => ambiguous)) return [];
  return [...new Set(evidence.map((each) => each.uuid))];
}

export function runningState(modifiedAtMs: number | null, nowMs: number): SessionState {
  return modifiedAtMs !== null && nowMs - modifiedAtMs < limits.liveAgeMs ? "live" : "stable";
}

function stateOf(
  subject: Subject,
  chosen: Evidence | undefined,
  transcript: Transcript | null,
  { nowMs, isHidden }: Look,
): SessionState {
  if (chosen === undefined) return "unknown";
  const isEnded = !isRunning(subject);
  if (transcript === null && (isEnded || chosen.source === "cache"))
    return isHidden(chosen.uuid) ? "unknown" : "broken";
  if (isEnded) return "stale";
  return runningState(transcript?.modifiedAtMs ?? null, nowMs);
}
