// Which session is in which pane, from graded evidence. Pure.
//
// [WS1] For a running agent, strongest first: the client's live registry, a hook's report, the process arguments,
//       the title, the session last seen in the pane. Only a newer hook report of the process beats the registry. A
//       client without a registry may report its session otherwise: then that counts as its registry.
// [WS2] Arguments show how the process was started. Records can prove which session it continued in. If it may have
//       continued elsewhere and nothing proves it, the answer is unknown.
// [WS3] The session last seen in a pane counts for a running agent only if it was recorded while this process ran.
// [WS4] A pane never gets a session that stronger evidence, or a running agent, gives to another pane. A title or a
//       record never gives it a session that a process elsewhere has by its registry.
// [WS5] If two panes have equal claims, neither gets the session. Of ended agents, the one last seen with it does.
// [WS6] For an ended agent, strongest first: what its process left behind (registry file, last report, last words),
//       then the session last seen in the pane and its proven sequels. If another session could also be its own, the
//       answer names both and chooses none.
// [WS7] If a missing transcript may be in an unreadable folder, the session's state is unknown, never broken.
// [WS9] A session in a registry file that another client may have written counts only with a second witness: a hook's
//       report of this process, its arguments if no record shows that it left, or records that it began this session.
//       If they name different sessions, or the file is missing, the answer is unknown: a change leaves no other trace.

import type { LiveSession } from "../../agents/agent.js";
import { once } from "../../base/once.js";
import { limits } from "../../limits.js";
import type { PaneId, SessionId } from "../../names/gates.js";
import type { AgentKind } from "../../names/kind.js";
import type { Transcript } from "../../transcripts/transcript.js";
import {
  type Archive,
  archivesOf,
  bornAt,
  type Claimant,
  doubt,
  type EndedAgent,
  type Evidence,
  type EvidenceSource,
  endedEvidence,
  evidence,
  type IsFree,
  memberClaims,
  type Others,
  provenSequel,
  rivalsOf,
  titleClaims,
} from "./claims.js";

export type { Evidence, EvidenceSource } from "./claims.js";

export type SessionState = "live" | "stable" | "stale" | "broken" | "unknown";
export interface Discovery {
  uuid: SessionId | null;
  state: SessionState;
  title: string | null;
  evidence: Evidence[];
}

/** What is known about a pane before any transcript is read. */
export interface Subject extends EndedAgent {
  id: PaneId;
  address: string;
  live: LiveSession | null;
  hook: { sessionId: SessionId; atMs: number } | null;
  /** As in `FleetPane`. `live` is null then. */
  claimed?: SessionId | null;
  /** The title of a pane that nobody gave one. It is shown, and names no session. */
  defaultTitle?: string | null;
  /** The session that the process arguments name. */
  began: SessionId | null;
  /** What the process of an ended agent left behind, strongest first. */
  left: readonly LeftBehind[];
  /** Sessions that the pane may show, if it is unclear which. */
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
  const archiveFor = archivesOf(transcripts);
  // Most looks need no transcript beyond those that the registry names.
  const archive = once(() => archiveFor(null));
  const lastWritten = (_: PaneId, id: SessionId) => archive().byId.get(id) ?? null;
  const found: Look["found"] = new Map(subjects.map((subject) => [subject.id, firmEvidence(subject)]));
  const holders = strongestHolders(subjects, found);
  const isOpenTo = (pane: PaneId): IsFree => {
    const isFree = isFreeTo(holders, pane);
    return (id) => isFree(id) && !isHeldElsewhere(id);
  };
  const look = { archiveFor, nowMs, isHidden, fileOf: fileOf ?? lastWritten, found, holders, isOpenTo };
  const [running, ended] = [subjects.filter(isRunning), subjects.filter((each) => !isRunning(each))];
  for (const { id, claimed } of running)
    if (claimed && found.get(id)!.length === 0) found.get(id)!.push(doubt("registry", claimed, unwitnessed));
  const withoutEvidence = running.filter(({ id }) => found.get(id)!.length === 0);
  claimAlone(withoutEvidence.filter(isMember), memberClaims, "records", look);
  // Forks first: a session that a fork owns is no rival for the agents beside it.
  for (const isFork of [true, false]) {
    const asking = withoutEvidence.filter((each) => !isMember(each) && (each.forkedFrom !== null) === isFork);
    claimAlone(asking, titleClaims, "title", look);
  }
  const last = new Map(running.map((subject) => [subject, addSequel(subject, look)]));
  for (const [subject, session] of last) if (session !== null) addRivals(subject, session, look);
  const startOf = new Map(running.map(({ id, startedAtMs }) => [id, startedAtMs!]));
  const isBegunElsewhere = (id: SessionId) => {
    const begun = archive().byId.get(id);
    const starts = [...(holders.get(id) ?? [])].flatMap((pane) => startOf.get(pane) ?? []);
    return begun !== undefined && starts.some((startedAtMs) => bornAt(begun) >= startedAtMs);
  };
  for (const subject of ended) {
    const { id, cached } = subject;
    if (cached === null || found.get(id)!.length > 0) continue;
    const others: Others = {
      isSeenWithAnother: (session) => subjects.some((other) => other !== subject && other.cached === session),
      isBegunElsewhere,
      isHeldElsewhere,
    };
    found.get(id)!.push(...endedEvidence(subject, cached, archiveFor(subject.family ?? null), others));
  }
  const bare = ended.filter(({ id, cached }) => found.get(id)!.length === 0 && cached === null);
  // Two agents can have ended in the same session, one after the other.
  const sure = ended.filter(({ id }) => {
    const [strongest] = found.get(id)!;
    return strongest?.ambiguous === false && isOpenTo(id)(strongest.uuid);
  });
  for (const { id } of sure) hold(holders, found.get(id)![0]!.uuid, id);
  claimAlone(bare, titleClaims, "title", look);
  return new Map(subjects.map((subject) => [subject.id, conclude(subject, look)]));
}

/** Further knowledge for comparing panes and transcripts. */
export interface Beside {
  /** A process outside the panes has it, by its registry file. */
  isHeldElsewhere?(id: SessionId): boolean;
  /** A transcript of it may be in an unreadable folder. */
  isHidden?(id: SessionId): boolean;
  /** The file of this pane, if one session has several (default: the one written last). */
  fileOf?(pane: PaneId, id: SessionId): Transcript | null;
}

interface Look extends Required<Pick<Beside, "isHidden" | "fileOf">> {
  archiveFor(family: AgentKind | null): Archive;
  nowMs: number;
  /** Strongest first. It grows while one look compares all panes. */
  found: ReadonlyMap<PaneId, Evidence[]>;
  holders: Holders;
  /** Whether neither another pane nor a process elsewhere has the session. */
  isOpenTo(pane: PaneId): IsFree;
}

/**
 * The panes that have a session by its strongest evidence. There can be two: two processes can resume one session.
 */
type Holders = Map<SessionId, Set<PaneId>>;

function isFreeTo(holders: Holders, pane: PaneId): IsFree {
  return (id) => holders.get(id)?.has(pane) ?? true;
}

function strongestHolders(subjects: readonly Subject[], found: Look["found"]): Holders {
  const holders: Holders = new Map();
  for (const source of ["registry", "hook", "args"]) {
    const claims = subjects.filter((each) => isRunning(each) && strengthOf(each, found) === source);
    const fresh = claims.filter(({ id }) => !holders.has(found.get(id)![0]!.uuid));
    for (const { id } of fresh) hold(holders, found.get(id)![0]!.uuid, id);
  }
  return holders;
}

function hold(holders: Holders, session: SessionId, pane: PaneId): void {
  holders.set(session, (holders.get(session) ?? new Set()).add(pane));
}

/** A hook that overrides the registry reports on the process in the registry, so it counts as the registry. */
function strengthOf({ id, live }: Subject, found: Look["found"]): EvidenceSource | undefined {
  return live === null ? found.get(id)![0]?.source : "registry";
}

const differing =
  "its registry file names it, or a client of another container wrote that: hivemind hooks install";
const missing = "its registry file is missing, so it may have left it: hivemind hooks install";

export function isRunning({ startedAtMs }: Claimant): boolean {
  return startedAtMs !== null;
}

/** Evidence about this very process, strongest first. */
export function firmEvidence({ live, hook, began, left, maybe }: Subject): Evidence[] {
  const found: Evidence[] = left.map(({ source, uuid }) => evidence(source, uuid, leftReasons[source]));
  const isCorrected = live !== null && hook !== null && hook.atMs > (live.updatedAtMs ?? 0);
  const add = (source: EvidenceSource, uuid: SessionId | null | undefined, reason: string) => {
    if (uuid) found.push(evidence(source, uuid, reason));
  };
  if (isCorrected) add("hook", hook.sessionId, "a hook's report, newer than the registry");
  add(
    live?.how ?? "registry",
    live?.sessionId,
    live?.reason ?? "the client's registry, for this very process",
  );
  if (!isCorrected) add("hook", hook?.sessionId, "a hook's report of this process");
  if (live?.how !== "args") add("args", began, "the process was started with it");
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

/** Claims by a name alone count only if they match one transcript and one pane. */
function claimAlone(
  asking: readonly Subject[],
  claimsOf: typeof titleClaims,
  source: "title" | "records",
  { archiveFor, found, holders, isOpenTo }: Look,
): void {
  const claims = new Map(
    asking.map((subject) => [
      subject,
      claimsOf(subject, archiveFor(subject.family ?? null), isOpenTo(subject.id)),
    ]),
  );
  for (const [subject, claimed] of claims) {
    if (claimed.length === 0) continue;
    const isAlike = (other: Subject) =>
      other !== subject && claims.get(other)!.some((each) => claimed.includes(each));
    const rivals = asking.filter(isAlike).map(({ address }) => address);
    for (const { id } of claimed) {
      const others = [...rivals, ...claimed.flatMap((each) => (each.id === id ? [] : [each.id]))];
      const why =
        rivals.length > 0
          ? `${rivals.join(", ")} can claim it too`
          : `${others.join(", ")} has the same name`;
      const isOnly = others.length === 0;
      const only = evidence(source, id, "the only transcript with this name");
      found.get(subject.id)!.push(isOnly ? only : doubt(source, id, why));
      if (isOnly) hold(holders, id, subject.id);
    }
  }
}

const unwitnessed =
  "only its registry file names it, and a client of another container may have written that: hivemind hooks install";

/**
 * For a running agent with only its arguments as evidence: adds the session it continued in, if records prove it. The
 * last session that is proven; null if there is other evidence.
 */
function addSequel(subject: Subject, { archiveFor, found, holders, isOpenTo }: Look): SessionId | null {
  const own = found.get(subject.id)!;
  const [first] = own;
  if (first?.source !== "args" || subject.live !== null) return null;
  const last = provenSequel(first.uuid, subject, archiveFor(subject.family ?? null), isOpenTo(subject.id));
  if (last !== first.uuid) {
    own.unshift(evidence("records", last, `its records say that it follows ${first.uuid}`));
    hold(holders, last, subject.id);
  }
  return last;
}

/** Adds the sessions in which it may have continued since. A registry file that says otherwise leaves no rival. */
function addRivals(subject: Subject, last: SessionId, { archiveFor, found, isOpenTo }: Look): void {
  const own = found.get(subject.id)!;
  const isFree = isOpenTo(subject.id);
  const { claimed } = subject;
  if (claimed === last) {
    own.push(evidence("registry", last, "its registry file says so too"));
    return;
  }
  if (claimed === null) own.push(doubt("args", last, missing));
  else if (claimed !== undefined) own.push(doubt("registry", claimed, differing));
  for (const { id } of rivalsOf(last, subject, archiveFor(subject.family ?? null), isFree)) {
    own.push(
      doubt("records", id, `written later than ${last} in its folder: the agent may have continued in it`),
    );
  }
}

function conclude(subject: Subject, look: Look): Discovery {
  const found = look.found.get(subject.id)!;
  const isChoice = isFreeTo(look.holders, subject.id);
  const isAmbiguous = found.some(({ ambiguous }) => ambiguous);
  if (subject.cached !== null) {
    const reason = !isChoice(subject.cached)
      ? "now in another pane"
      : isOutdated(subject)
        ? "last seen here before this process started"
        : "last seen here";
    found.push(evidence("cache", subject.cached, reason));
  }
  // Another process may run the session an ended agent continued in. Its earlier session is not its last one then.
  const isLeftBehind = !isRunning(subject) && found.some(({ source }) => source !== "cache");
  const hasReport = found.some(({ source }) => source === "registry" || source === "hook");
  const chosen = found.find(
    ({ source, uuid }) =>
      !isAmbiguous &&
      isChoice(uuid) &&
      !(hasReport && source === "args") &&
      !(source === "cache" && (isOutdated(subject) || isLeftBehind)),
  );
  if (chosen !== undefined) chosen.chosen = true;
  const uuid = chosen?.uuid ?? null;
  const transcript = uuid === null ? null : look.fileOf(subject.id, uuid);
  return {
    uuid,
    state: stateOf(subject, chosen, transcript, look),
    title: transcript?.facts.title ?? subject.live?.name ?? subject.title ?? subject.defaultTitle ?? null,
    evidence: found,
  };
}

function isOutdated({ startedAtMs, registeredAtMs }: Subject): boolean {
  return startedAtMs !== null && (registeredAtMs === null || registeredAtMs < startedAtMs);
}

/** The sessions of which one must be right; empty if the answer is known or there is no evidence. */
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
