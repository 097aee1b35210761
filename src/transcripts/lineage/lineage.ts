// Decides which session came from which. Pure.
//
// - Of a session's possible parents the strongest evidence wins: chosen by us, `forkedFrom`, shared messages, a
//   hook, arguments, a row of the forks file, shared messages whose older session is a guess, the session in which
//   its process began or wrote before, and last the parent of another copy of the same messages.
// - A fork of a branch copies the branch's `forkedFrom`. So `forkedFrom` is only a guess if messages after the
//   copies are shared with another session, or are older than the file.
// - Copied records keep the session in which their process began. So of two that share messages, the one whose
//   records name the other came from it, if the older one is a guess.
// - A session has at most one parent, never itself, and there are no cycles: an edge that would close one gives way
//   to the session's next evidence.
// - Only inferred edges are marked as inferred.

import type { SessionId } from "../../names/gates.js";
import type { MessageId, Transcript } from "../transcript.js";
import { type ClearedSession, isCleared, predecessorsOf } from "./cleared.js";
import { topOf } from "./families.js";
import { inheritsBranch } from "./own-branch.js";
import type { MessageParent } from "./parent-by-messages.js";

/** Team: started by the lead of an agent team, with messages of its own. */
export type LineageKind = "fork" | "branch" | "clear" | "compact" | "team";
export type LineageSource =
  | "chosen"
  | "forkedFrom"
  | "sharedMessages"
  | "hook"
  | "arguments"
  | "forksFile"
  | "startedAs";

export interface LineageEdge {
  parent: SessionId;
  child: SessionId;
  /** The last message that both have; null if none is shared, or the messages were not compared. */
  forkPoint: MessageId | null;
  /** When that message was written; null if not known. */
  forkPointAtMs: number | null;
  kind: LineageKind;
  source: LineageSource;
  inferred: boolean;
}

/** A session with a transcript. */
export type LineageSession = ClearedSession;

/** What other evidence than transcripts says. Its sessions may have no transcript. */
export interface LineageClaim {
  parent: SessionId;
  child: SessionId;
  source: "chosen" | "hook" | "arguments" | "forksFile";
  /** Set if the evidence names it: a hook does. */
  kind?: LineageKind;
}

/** One per session: of several files of one id the last written. */
export function lineageSessions(byId: ReadonlyMap<SessionId, readonly Transcript[]>): LineageSession[] {
  return Array.from(byId.values(), (files) => files[0]!);
}

/** `kinship` is the evidence of shared messages. */
export function lineage(
  sessions: readonly LineageSession[],
  kinship: ReadonlyMap<SessionId, MessageParent>,
  claims: readonly LineageClaim[] = [],
): LineageEdge[] {
  // Of thousands of sessions most began on their own and have no claim.
  const claimed = new Set(claims.map(({ child }) => child));
  const byId = new Map(sessions.filter(({ id }) => claimed.has(id)).map((session) => [session.id, session]));
  const withOrigin = sessions.filter(hasOrigin);
  const inherits = (session: LineageSession) =>
    kinship.get(session.id)?.inheritsOrigin === true || inheritsBranch(session);
  const inherited = new Set(withOrigin.filter(inherits));
  const shared = [...kinship].map(([child, kin]) => sharedEdge(child, kin));
  const beganAs = new Map(withOrigin.map(({ id, facts }) => [id, facts.startedAs]));
  const isTurned = ({ parent, child, inferred }: LineageEdge) => inferred && beganAs.get(parent) === child;
  const siblings = new Set(shared.filter(({ child }) => kinship.get(child)!.isSibling));
  const predecessors = predecessorsOf(sessions);
  const guesses = [
    ...shared.filter((edge) => edge.inferred && !siblings.has(edge) && !isTurned(edge)),
    ...shared.filter(isTurned).map((edge) => ({ ...edge, parent: edge.child, child: edge.parent })),
    // A session that shares messages is a copy, even if it begins with `/clear`.
    ...[...predecessors].filter(([child]) => !kinship.has(child)).map(clearedEdge),
    ...withOrigin.flatMap(startedAsEdge),
    ...[...inherited]
      .flatMap(forkedFromEdge)
      .map((edge) => ({ ...edge, kind: "fork" as const, inferred: true })),
  ];
  const candidates = [
    ...claims.map((claim) => claimedEdge(claim, byId.get(claim.child), kinship.get(claim.child))),
    ...withOrigin.filter((session) => !inherited.has(session)).flatMap(forkedFromEdge),
    ...shared.filter(({ inferred }) => !inferred),
  ];
  candidates.sort((a, b) => strength.indexOf(a.source) - strength.indexOf(b.source));
  const chosen = new Map<SessionId, LineageEdge>();
  const above = new Map<SessionId, SessionId>();
  const choose = (edge: LineageEdge) => {
    const { parent, child } = edge;
    // A child without a parent is the top of its own tree: only there could it be above its parent.
    if (chosen.has(child) || topOf(above, parent) === child) return;
    chosen.set(child, edge);
    above.set(child, parent);
  };
  for (const edge of [...candidates, ...guesses]) choose(edge);
  // Two copies of a session that no longer exists have the same parent, if one of them names it.
  for (const edge of siblings) {
    const parent = above.get(edge.parent);
    if (parent !== undefined) choose({ ...edge, parent });
  }
  return [...chosen.values()];
}

/** Guesses come after these, in their own order. */
const strength: readonly LineageSource[] = [
  "chosen",
  "forkedFrom",
  "sharedMessages",
  "hook",
  "arguments",
  "forksFile",
];

function hasOrigin({ id, facts: { forkedFrom, startedAs } }: LineageSession): boolean {
  return forkedFrom !== null || (startedAs !== null && startedAs !== id);
}

function claimedEdge(
  { parent, child, source, kind }: LineageClaim,
  session: LineageSession | undefined,
  kin: MessageParent | undefined,
): LineageEdge {
  const { forkPoint, forkPointAtMs } = kin?.parent === parent ? kin : noPoint;
  const isFork = source !== "forksFile" || forkPoint !== null || session === undefined || !isCleared(session);
  const how = kind ?? (isFork ? "fork" : "clear");
  return { parent, child, forkPoint, forkPointAtMs, kind: how, source, inferred: false };
}

/** No message is shared, or none was compared. */
const noPoint = { forkPoint: null, forkPointAtMs: null };

function sharedEdge(child: SessionId, kin: MessageParent): LineageEdge {
  const { parent, forkPoint, forkPointAtMs, inferred } = kin;
  return { parent, child, forkPoint, forkPointAtMs, kind: "fork", source: "sharedMessages", inferred };
}

function forkedFromEdge({ id, facts: { forkedFrom, forkPointAtMs } }: LineageSession): LineageEdge[] {
  if (forkedFrom === null) return [];
  const point = { forkPoint: forkedFrom.message, forkPointAtMs };
  const how = { kind: "branch", source: "forkedFrom", inferred: false } as const;
  return [{ parent: forkedFrom.sessionId, child: id, ...point, ...how }];
}

function clearedEdge([child, parent]: [SessionId, SessionId]): LineageEdge {
  return { parent, child, ...noPoint, kind: "clear", source: "startedAs", inferred: true };
}

function startedAsEdge(session: LineageSession): LineageEdge[] {
  const { id, facts } = session;
  const { startedAs } = facts;
  if (startedAs === null || startedAs === id) return [];
  const kind = isCleared(session) ? "clear" : "fork";
  return [{ parent: startedAs, child: id, ...noPoint, kind, source: "startedAs", inferred: true }];
}
