// What shared messages tell of who came from whom. Pure.
//
// [JK1] The parent is the session that first wrote the last message the child did not write itself: the nearest
//       ancestor, also of a fork of a fork. That message is the fork point.

import type { SessionId } from "../names/gates.js";
import { type Elder, elderOf, type Holder } from "./elder.js";
import { familiesOf } from "./families.js";
import type { Chain, Facts, MessageId } from "./transcript.js";

export interface Kin {
  parent: SessionId;
  forkPoint: MessageId;
  inferred: boolean;
  /** What its records say of their origin is its parent's: they were copied before the fork point. */
  inheritsOrigin: boolean;
}

/** A session with its messages. */
export interface KinSession {
  id: SessionId;
  bornAtMs: number | null;
  facts: Pick<Facts, "rootMessage" | "boundaries" | "forkedFrom">;
  chain: Chain;
}

/** By child. Sessions are compared only within their families. */
export function kinOf(sessions: readonly KinSession[]): Map<SessionId, Kin> {
  const kinship = new Map<SessionId, Kin>();
  for (const family of familiesOf(sessions)) {
    const elder = eldersIn(holdersOf(family));
    for (const session of family) {
      const kin = nearestKin(session, elder);
      if (kin !== null) kinship.set(session.id, kin);
    }
  }
  return kinship;
}

/** Backwards to the last message that somebody else wrote. */
function nearestKin(
  { id, facts, chain: { messages, timesMs } }: KinSession,
  elder: ElderOfMessage,
): Kin | null {
  for (let at = messages.length - 1; at >= 0; at--) {
    const forkPoint = messages[at]!;
    const found = elder(forkPoint, timesMs[at]!);
    if (found === null || found.id === id) continue;
    const { id: parent, inferred } = found;
    const copiedTo = facts.forkedFrom === null ? -1 : messages.indexOf(facts.forkedFrom.message);
    const isBehind = copiedTo >= 0 && messages.indexOf(forkPoint) > copiedTo;
    return {
      parent,
      forkPoint,
      inferred,
      inheritsOrigin: isBehind && parent !== facts.forkedFrom?.sessionId,
    };
  }
  return null;
}

/** Null of a message that only one session holds. */
type ElderOfMessage = (message: MessageId, writtenAtMs: number | null) => Elder | null;

function eldersIn(holders: ReadonlyMap<MessageId, readonly Holder[]>): ElderOfMessage {
  const known = new Map<MessageId, ReturnType<typeof elderOf>>();
  return (message, writtenAtMs) => {
    const holding = holders.get(message)!;
    if (holding.length === 1) return null;
    const elder = known.get(message) ?? elderOf(holding);
    known.set(message, elder);
    return elder(writtenAtMs);
  };
}

function holdersOf(family: readonly KinSession[]): Map<MessageId, Holder[]> {
  const holders = new Map<MessageId, Holder[]>();
  for (const { id, bornAtMs, chain } of family) {
    const holder: Holder = { id, bornAtMs, firstOwnAtMs: null };
    for (const message of new Set(chain.messages)) {
      const holding = holders.get(message);
      if (holding === undefined) holders.set(message, [holder]);
      else holding.push(holder);
    }
  }
  for (const { id, chain } of family) {
    const own = chain.messages.findIndex((message) => holders.get(message)!.length === 1);
    if (own >= 0)
      holders.get(chain.messages[own]!)!.find((holder) => holder.id === id)!.firstOwnAtMs =
        chain.timesMs[own]!;
  }
  return holders;
}
