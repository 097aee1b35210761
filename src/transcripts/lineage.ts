// Which session came from which. Facts in, edges out.
//
// [JL1] Of a session's possible parents the strongest kind of evidence decides: chosen by us, `forkedFrom`, shared
//       messages, a hook, arguments, an S5 row, and where nothing is shared the session its process had begun with.
// [JL2] By shared messages the parent is the session that first wrote the last message the child did not write
//       itself: the nearest ancestor, also of a fork of a fork. That message is the fork point.
// [JL5] A fork of a branch keeps what the branch's records say of their origin. So `forkedFrom` is the branch's own,
//       and weaker, where messages behind the copies are shared with another session.
// [JL3] A session has one parent at most, never itself, and no cycle comes out, whatever goes in: an edge that would
//       close one gives way to the session's next evidence.
// [JL4] Only what was inferred is marked so.

import type { SessionId } from "../names/gates.js";
import { elderOf, type Holder } from "./elder.js";
import { familiesOf } from "./families.js";
import type { Chain, Facts, MessageId, Transcript } from "./transcript.js";

export type LineageKind = "fork" | "branch" | "clear" | "compact";
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

/** A session with a transcript. `chain` is null where it has no relatives. */
export interface LineageSession {
  id: SessionId;
  bornAtMs: number | null;
  facts: Pick<Facts, "rootMessage" | "boundaries" | "beginsWithClear" | "forkedFrom" | "startedAs">;
  chain: Chain | null;
}

/** What others than transcripts say. Sessions in it may have no transcript (any more). */
export interface LineageClaim {
  parent: SessionId;
  child: SessionId;
  source: "chosen" | "hook" | "arguments" | "forksFile";
  /** Where the claimant knows it: a hook does. */
  kind?: LineageKind;
}

/** One for each session: of several files of one id the one that was written last. */
export function lineageSessions(
  byId: ReadonlyMap<SessionId, readonly Transcript[]>,
  chains: ReadonlyMap<Transcript, Chain>,
): LineageSession[] {
  return [...byId.values()].map(([last]) => {
    const { id, bornAtMs, facts } = last!;
    return { id, bornAtMs, facts, chain: chains.get(last!) ?? null };
  });
}

export function lineage(
  sessions: readonly LineageSession[],
  claims: readonly LineageClaim[] = [],
): LineageEdge[] {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const shared = sharedEdges(sessions);
  const inherited = new Set(sessions.filter((session) => inheritsOrigin(session, shared.get(session.id))));
  const candidates = [
    ...claims.map((claim) => claimedEdge(claim, byId.get(claim.child), shared)),
    ...sessions.filter((session) => !inherited.has(session)).flatMap(forkedFromEdge),
    ...shared.values(),
    ...sessions.flatMap(startedAsEdge),
  ];
  candidates.sort((a, b) => strength.indexOf(a.source) - strength.indexOf(b.source));
  candidates.push(...[...inherited].flatMap(forkedFromEdge));
  const chosen = new Map<SessionId, LineageEdge>();
  for (const edge of candidates) {
    if (!chosen.has(edge.child) && !descends(edge.parent, edge.child, chosen)) chosen.set(edge.child, edge);
  }
  return [...chosen.values()];
}

const strength: readonly LineageSource[] = [
  "chosen",
  "forkedFrom",
  "sharedMessages",
  "hook",
  "arguments",
  "forksFile",
  "startedAs",
];

function claimedEdge(
  { parent, child, source, kind }: LineageClaim,
  session: LineageSession | undefined,
  shared: ReadonlyMap<SessionId, LineageEdge>,
): LineageEdge {
  const seen = shared.get(child);
  const forkPoint = seen?.parent === parent ? seen.forkPoint : null;
  const likely = session?.facts.beginsWithClear === true ? "clear" : "fork";
  return { parent, child, forkPoint, kind: kind ?? likely, source, inferred: false };
}

function inheritsOrigin({ facts, chain }: LineageSession, shared: LineageEdge | undefined): boolean {
  const { forkedFrom } = facts;
  if (forkedFrom === null || chain === null || shared === undefined) return false;
  const copiedTo = chain.messages.indexOf(forkedFrom.message);
  const sharedTo = chain.messages.indexOf(shared.forkPoint ?? "");
  return shared.parent !== forkedFrom.sessionId && copiedTo >= 0 && sharedTo > copiedTo;
}

function forkedFromEdge({ id, facts: { forkedFrom } }: LineageSession): LineageEdge[] {
  if (forkedFrom === null) return [];
  const { sessionId: parent, message: forkPoint } = forkedFrom;
  return [{ parent, child: id, forkPoint, kind: "branch", source: "forkedFrom", inferred: false }];
}

function startedAsEdge({ id, facts: { startedAs } }: LineageSession): LineageEdge[] {
  if (startedAs === null || startedAs === id) return [];
  return [
    { parent: startedAs, child: id, forkPoint: null, kind: "clear", source: "startedAs", inferred: true },
  ];
}

/** By child. Sessions are compared only within their families. */
function sharedEdges(sessions: readonly LineageSession[]): Map<SessionId, LineageEdge> {
  const edges = new Map<SessionId, LineageEdge>();
  for (const family of familiesOf(sessions.filter(({ chain }) => chain !== null))) {
    const holders = holdersOf(family);
    for (const session of family) {
      const edge = sharedEdge(session, holders);
      if (edge !== null) edges.set(session.id, edge);
    }
  }
  return edges;
}

/** Backwards to the last message that somebody else wrote. */
function sharedEdge(
  { id, chain }: LineageSession,
  holders: ReadonlyMap<MessageId, readonly Holder[]>,
): LineageEdge | null {
  const { messages, timesMs } = chain!;
  for (let at = messages.length - 1; at >= 0; at--) {
    const holding = holders.get(messages[at]!)!;
    if (holding.length === 1) continue;
    const { id: parent, inferred } = elderOf(holding, timesMs[at]!);
    if (parent === id) continue;
    return { parent, child: id, forkPoint: messages[at]!, kind: "fork", source: "sharedMessages", inferred };
  }
  return null;
}

function holdersOf(family: readonly LineageSession[]): Map<MessageId, Holder[]> {
  const holders = new Map<MessageId, Holder[]>();
  for (const { id, bornAtMs, chain } of family) {
    const holder: Holder = { id, bornAtMs, firstOwnAtMs: null };
    for (const message of new Set(chain!.messages)) {
      const holding = holders.get(message);
      if (holding === undefined) holders.set(message, [holder]);
      else holding.push(holder);
    }
  }
  for (const { id, chain } of family) {
    const own = chain!.messages.findIndex((message) => holders.get(message)!.length === 1);
    if (own >= 0)
      holders.get(chain!.messages[own]!)!.find((holder) => holder.id === id)!.firstOwnAtMs =
        chain!.timesMs[own]!;
  }
  return holders;
}

function descends(
  session: SessionId,
  from: SessionId,
  parents: ReadonlyMap<SessionId, LineageEdge>,
): boolean {
  for (let at: SessionId | undefined = session; at !== undefined; at = parents.get(at)?.parent) {
    if (at === from) return true;
  }
  return false;
}
