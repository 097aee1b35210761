// Which session came from which. Facts in, edges out.
//
// [JL1] Of a session's possible parents the strongest kind of evidence decides: chosen by us, `forkedFrom`, shared
//       messages, a hook, arguments, an S5 row, shared messages whose elder is a guess, the session that its process had
//       begun with or wrote to before, and last the parent of another copy of the same words.
// [JL5] A fork of a branch keeps what the branch's records say of their origin. So `forkedFrom` is the branch's own,
//       and only a guess, where messages behind the copies are shared with another session or older than the file.
// [JL6] Copied records keep the session that their process had begun with. So of two that share messages the one whose
//       records name the other came from it, where the elder is a guess.
// [JL3] A session has one parent at most, never itself, and no cycle comes out, whatever goes in: an edge that would
//       close one gives way to the session's next evidence.
// [JL4] Only what was inferred is marked so.

import type { SessionId } from "../names/gates.js";
import { type ClearedSession, isCleared, predecessorsOf } from "./cleared.js";
import type { Kin } from "./kin.js";
import { inheritsBranch } from "./own-branch.js";
import { topOf } from "./top-of.js";
import type { MessageId, Transcript } from "./transcript.js";

/** Team: begun by the lead of an agent team, with words of its own. */
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
  /** The last message both have; null where nothing is shared, or nobody looked. */
  forkPoint: MessageId | null;
  kind: LineageKind;
  source: LineageSource;
  inferred: boolean;
}

/** A session with a transcript. */
export type LineageSession = ClearedSession;

/** What others than transcripts say. Sessions in it may have no transcript (any more). */
export interface LineageClaim {
  parent: SessionId;
  child: SessionId;
  source: "chosen" | "hook" | "arguments" | "forksFile";
  /** Where the claimant knows it: a hook does. */
  kind?: LineageKind;
}

/** One for each session: of several files of one id the one that was written last. */
export function lineageSessions(byId: ReadonlyMap<SessionId, readonly Transcript[]>): LineageSession[] {
  return [...byId.values()].map(([last]) => last!);
}

/** `kinship` is what shared messages tell. */
export function lineage(
  sessions: readonly LineageSession[],
  kinship: ReadonlyMap<SessionId, Kin>,
  claims: readonly LineageClaim[] = [],
): LineageEdge[] {
  // Of thousands of sessions most began by themselves, and nobody claims them.
  const claimed = new Set(claims.map(({ child }) => child));
  const byId = new Map(sessions.filter(({ id }) => claimed.has(id)).map((session) => [session.id, session]));
  const telling = sessions.filter(tellsOfOrigin);
  const inherits = (session: LineageSession) =>
    kinship.get(session.id)?.inheritsOrigin === true || inheritsBranch(session);
  const inherited = new Set(telling.filter(inherits));
  const shared = [...kinship].map(([child, kin]) => sharedEdge(child, kin));
  const beganAs = new Map(telling.map(({ id, facts }) => [id, facts.startedAs]));
  const isTurned = ({ parent, child, inferred }: LineageEdge) => inferred && beganAs.get(parent) === child;
  const siblings = new Set(shared.filter(({ child }) => kinship.get(child)!.isSibling));
  const predecessors = predecessorsOf(sessions);
  const guesses = [
    ...shared.filter((edge) => edge.inferred && !siblings.has(edge) && !isTurned(edge)),
    ...shared.filter(isTurned).map((edge) => ({ ...edge, parent: edge.child, child: edge.parent })),
    // What shares messages is a copy, also where it begins with `/clear`.
    ...[...predecessors].filter(([child]) => !kinship.has(child)).map(clearedEdge),
    ...telling.flatMap(startedAsEdge),
    ...[...inherited]
      .flatMap(forkedFromEdge)
      .map((edge) => ({ ...edge, kind: "fork" as const, inferred: true })),
  ];
  const candidates = [
    ...claims.map((claim) => claimedEdge(claim, byId.get(claim.child), kinship.get(claim.child))),
    ...telling.filter((session) => !inherited.has(session)).flatMap(forkedFromEdge),
    ...shared.filter(({ inferred }) => !inferred),
  ];
  candidates.sort((a, b) => strength.indexOf(a.source) - strength.indexOf(b.source));
  const chosen = new Map<SessionId, LineageEdge>();
  const above = new Map<SessionId, SessionId>();
  const choose = (edge: LineageEdge) => {
    const { parent, child } = edge;
    // A child without a parent is the top of its own tree: only there it could be above its parent.
    if (chosen.has(child) || topOf(above, parent) === child) return;
    chosen.set(child, edge);
    above.set(child, parent);
  };
  for (const edge of [...candidates, ...guesses]) choose(edge);
  // Two copies of a session that is gone have the same parent, if one of them knows it.
  for (const edge of siblings) {
    const parent = above.get(edge.parent);
    if (parent !== undefined) choose({ ...edge, parent });
  }
  return [...chosen.values()];
}

/** Guesses come behind these, in their own order. */
const strength: readonly LineageSource[] = [
  "chosen",
  "forkedFrom",
  "sharedMessages",
  "hook",
  "arguments",
  "forksFile",
];

function tellsOfOrigin({ id, facts: { forkedFrom, startedAs } }: LineageSession): boolean {
  return forkedFrom !== null || (startedAs !== null && startedAs !== id);
}

function claimedEdge(
  { parent, child, source, kind }: LineageClaim,
  session: LineageSession | undefined,
  kin: Kin | undefined,
): LineageEdge {
  const forkPoint = kin?.parent === parent ? kin.forkPoint : null;
  const isFork = source !== "forksFile" || forkPoint !== null || session === undefined || !isCleared(session);
  return { parent, child, forkPoint, kind: kind ?? (isFork ? "fork" : "clear"), source, inferred: false };
}

function sharedEdge(child: SessionId, { parent, forkPoint, inferred }: Kin): LineageEdge {
  return { parent, child, forkPoint, kind: "fork", source: "sharedMessages", inferred };
}

function forkedFromEdge({ id, facts: { forkedFrom } }: LineageSession): LineageEdge[] {
  if (forkedFrom === null) return [];
  const { sessionId: parent, message: forkPoint } = forkedFrom;
  return [{ parent, child: id, forkPoint, kind: "branch", source: "forkedFrom", inferred: false }];
}

function clearedEdge([child, parent]: [SessionId, SessionId]): LineageEdge {
  return { parent, child, forkPoint: null, kind: "clear", source: "startedAs", inferred: true };
}

function startedAsEdge(session: LineageSession): LineageEdge[] {
  const { id, facts } = session;
  const { startedAs } = facts;
  if (startedAs === null || startedAs === id) return [];
  const kind = isCleared(session) ? "clear" : "fork";
  return [{ parent: startedAs, child: id, forkPoint: null, kind, source: "startedAs", inferred: true }];
}
