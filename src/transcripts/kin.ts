// What shared messages tell of who came from whom. Pure.
//
// [JK1] The parent is the session that first wrote the last record the child did not write itself: the nearest
//       ancestor, also of a fork of a fork. The fork point is the last message before it that both hold.
// [JK2] Notes of the client count as records: a branch that said nothing has but these of its own.
// [JK3] Where a nearer ancestor is gone, which a record tells that nobody here wrote, the parent is inferred.

import type { SessionId } from "../names/gates.js";
import { copiedUntil } from "./copied-until.js";
import { type Elder, elderOf, type Holder, isCopied } from "./elder.js";
import { familiesOf } from "./families.js";
import { inheritsBranch } from "./own-branch.js";
import type { Chain, Facts, MessageId } from "./transcript.js";

export interface Kin {
  parent: SessionId;
  forkPoint: MessageId;
  inferred: boolean;
  /** What its records say of their origin is its parent's: they were copied before the fork point. */
  inheritsOrigin: boolean;
  /** Both are copies of a session that is gone. */
  isSibling: boolean;
}

/** A session with its messages. */
export interface KinSession {
  id: SessionId;
  bornAtMs: number | null;
  facts: Pick<
    Facts,
    | "rootMessage"
    | "boundaries"
    | "forkedFrom"
    | "behindCopiesAtMs"
    | "lastAtMs"
    | "startedAs"
    | "beginsWithClear"
  >;
  chain: Chain;
}

/** By child. Sessions are compared only within their families. */
export function kinOf(sessions: readonly KinSession[]): Map<SessionId, Kin> {
  const kinship = new Map<SessionId, Kin>();
  for (const family of familiesOf(sessions)) {
    const held = heldIn(family);
    const elder = eldersIn(held);
    for (const session of family) {
      const kin = nearestKin(session, held, elder);
      if (kin !== null) kinship.set(session.id, kin);
    }
  }
  return kinship;
}

/** Backwards to the last record that somebody else wrote. */
function nearestKin(session: KinSession, held: Held, elder: ElderOfMessage): Kin | null {
  const { messages, timesMs, kinds } = session.chain;
  const own = held.sessions.get(session.id)!;
  const isForkOfBranch = inheritsBranch(session);
  let sibling: Kin | null = null;
  let isNearerGone = false;
  for (let at = messages.length - 1; at >= 0; at--) {
    const found = elder(messages[at]!, timesMs[at]!);
    const isSaid = kinds[at] === "p" || kinds[at] === "a";
    const isGone = found === null ? isSaid && isCopied(own, timesMs[at]!) : found.isGone;
    isNearerGone ||= isGone;
    if (found === null || found.id === session.id) continue;
    // A fork of a branch has records behind the copies that the branch wrote.
    const isBranchGone = isForkOfBranch && timesMs[at]! < session.facts.behindCopiesAtMs!;
    const kin = kinAt(session, held, at, found);
    if (!isGone) return { ...kin, inferred: kin.inferred || isNearerGone || isBranchGone };
    sibling ??= kin;
  }
  return sibling;
}

function kinAt({ facts, chain }: KinSession, held: Held, at: number, elder: Elder): Kin {
  const { messages, timesMs, kinds } = chain;
  const isShared = (message: MessageId) => held.by.get(message)!.some(({ id }) => id === elder.id);
  const forkPoint = messages.findLast((each, index) => index <= at && kinds[index] !== "n" && isShared(each));
  const { forkedFrom, behindCopiesAtMs } = facts;
  const isBehind = forkedFrom !== null && behindCopiesAtMs !== null && timesMs[at]! >= behindCopiesAtMs;
  return {
    parent: elder.id,
    forkPoint: forkPoint ?? messages[at]!,
    inferred: elder.inferred,
    inheritsOrigin: !elder.isGone && isBehind && elder.id !== forkedFrom.sessionId,
    isSibling: elder.isGone,
  };
}

/** Null of a message that only one session holds. */
type ElderOfMessage = (message: MessageId, writtenAtMs: number | null) => Elder | null;

/** Each message is judged once: thousands may share their first one. */
function eldersIn({ by }: Held): ElderOfMessage {
  const known = new Map<MessageId, Elder>();
  return (message, writtenAtMs) => {
    const holding = by.get(message)!;
    if (holding.length === 1) return null;
    const elder = known.get(message) ?? elderOf(holding, writtenAtMs);
    known.set(message, elder);
    return elder;
  };
}

interface Held {
  sessions: ReadonlyMap<SessionId, Holder>;
  by: ReadonlyMap<MessageId, readonly Holder[]>;
}

function heldIn(family: readonly KinSession[]): Held {
  const sessions = new Map<SessionId, Holder>();
  const by = new Map<MessageId, Holder[]>();
  for (const session of family) {
    const { id, bornAtMs, chain } = session;
    const holder: Holder = { id, bornAtMs, firstOwnAtMs: null, copiedUntilMs: copiedUntil(session) };
    sessions.set(id, holder);
    for (const message of new Set(chain.messages)) {
      const holding = by.get(message);
      if (holding === undefined) by.set(message, [holder]);
      else holding.push(holder);
    }
  }
  for (const { id, chain } of family) {
    const own = chain.messages.findIndex((message) => by.get(message)!.length === 1);
    if (own >= 0) sessions.get(id)!.firstOwnAtMs = chain.timesMs[own]!;
  }
  return { sessions, by };
}
