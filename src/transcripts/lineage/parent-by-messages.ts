// Finds a session's parent from the messages it shares with others. Pure.
//
// - The parent is the session that first wrote the last record that the child did not write itself: the nearest
//   ancestor, also for a fork of a fork. The fork point is the last message before that which both have.
// - Notes of the client count as records: a branch without messages has only notes of its own.
// - A record that no known session wrote shows that a nearer ancestor is gone: then the parent is inferred.
//
// Birth time and records of a file show up to when its messages are copies:
// - A client creates the file of a conversation when it has something to write. So a prompt just before the birth is
//   the session's own, and everything before that prompt was copied.
// - A file that begins with copies and has no such prompt was made by a command: everything before its birth was
//   copied.
// - A file younger than all its messages was restored, and its birth time proves nothing.

import { limits } from "../../limits.js";
import type { SessionId } from "../../names/gates.js";
import type { Chain, Facts, MessageId } from "../transcript.js";
import { familiesOf } from "./families.js";
import { inheritsBranch } from "./own-branch.js";
import { type FirstWriter, firstWriterOf, type Holder, isCopied } from "./which-is-older.js";

export interface MessageParent {
  parent: SessionId;
  forkPoint: MessageId;
  /** When that message was written. */
  forkPointAtMs: number | null;
  inferred: boolean;
  /** Its records about its origin are its parent's: they were copied before the fork point. */
  inheritsOrigin: boolean;
  /** Both are copies of a session that no longer exists. */
  isSibling: boolean;
}

/** A session with its messages. */
export interface SessionMessages {
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

/** The parents by child. Sessions are compared only within their families. */
export function parentsByMessages(sessions: readonly SessionMessages[]): Map<SessionId, MessageParent> {
  const kinship = new Map<SessionId, MessageParent>();
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

/** Searches backwards for the last record that another session wrote. */
function nearestKin(session: SessionMessages, held: Held, elder: ElderOfMessage): MessageParent | null {
  const { messages, timesMs, kinds } = session.chain;
  const own = held.sessions.get(session.id)!;
  const isForkOfBranch = inheritsBranch(session);
  let sibling: MessageParent | null = null;
  let isNearerGone = false;
  for (let at = messages.length - 1; at >= 0; at--) {
    const found = elder(messages[at]!, timesMs[at]!);
    const isSaid = kinds[at] === "p" || kinds[at] === "a";
    const isGone = found === null ? isSaid && isCopied(own, timesMs[at]!) : found.isGone;
    isNearerGone ||= isGone;
    if (found === null || found.id === session.id) continue;
    // A fork of a branch has records of the branch after the copies.
    const isBranchGone = isForkOfBranch && timesMs[at]! < session.facts.behindCopiesAtMs!;
    const kin = kinAt(session, held, at, found);
    if (!isGone) return { ...kin, inferred: kin.inferred || isNearerGone || isBranchGone };
    sibling ??= kin;
  }
  return sibling;
}

function kinAt({ facts, chain }: SessionMessages, held: Held, at: number, elder: FirstWriter): MessageParent {
  const { messages, timesMs, kinds } = chain;
  const isShared = (message: MessageId) =>
    held.shared.get(message)?.some(({ id }) => id === elder.id) === true;
  const shared = messages.findLastIndex(
    (each, index) => index <= at && kinds[index] !== "n" && isShared(each),
  );
  const point = shared < 0 ? at : shared;
  const { forkedFrom, behindCopiesAtMs } = facts;
  const isBehind = forkedFrom !== null && behindCopiesAtMs !== null && timesMs[at]! >= behindCopiesAtMs;
  return {
    parent: elder.id,
    forkPoint: messages[point]!,
    forkPointAtMs: timesMs[point] ?? null,
    inferred: elder.inferred,
    inheritsOrigin: !elder.isGone && isBehind && elder.id !== forkedFrom.sessionId,
    isSibling: elder.isGone,
  };
}

/** Null for a message that only one session has. */
type ElderOfMessage = (message: MessageId, writtenAtMs: number | null) => FirstWriter | null;

/** Each message is judged once: thousands of sessions may share their first one. */
function eldersIn({ shared }: Held): ElderOfMessage {
  const known = new Map<MessageId, FirstWriter>();
  return (message, writtenAtMs) => {
    const holding = shared.get(message);
    if (holding === undefined) return null;
    const elder = known.get(message) ?? firstWriterOf(holding, writtenAtMs);
    known.set(message, elder);
    return elder;
  };
}

interface Held {
  sessions: ReadonlyMap<SessionId, Holder>;
  /** The holders of each message that several sessions have: few of very many. */
  shared: ReadonlyMap<MessageId, readonly Holder[]>;
}

function heldIn(family: readonly SessionMessages[]): Held {
  const sessions = new Map<SessionId, Holder>();
  const first = new Map<MessageId, Holder>();
  const shared = new Map<MessageId, Holder[]>();
  for (const session of family) {
    const { id, bornAtMs, chain } = session;
    const holder: Holder = { id, bornAtMs, firstOwnAtMs: null, copiedUntilMs: copiedUntil(session) };
    sessions.set(id, holder);
    for (const message of chain.messages) {
      const other = first.get(message);
      if (other === undefined) first.set(message, holder);
      else if (other !== holder) {
        const holding = shared.get(message);
        if (holding === undefined) shared.set(message, [other, holder]);
        else if (holding.at(-1) !== holder) holding.push(holder);
      }
    }
  }
  for (const { id, chain } of family) {
    const own = chain.messages.findIndex((message) => !shared.has(message));
    if (own >= 0) sessions.get(id)!.firstOwnAtMs = chain.timesMs[own]!;
  }
  return { sessions, shared };
}

export function copiedUntil(session: SessionMessages): number | null {
  const { bornAtMs, facts } = session;
  const copiedMs = timeOf(session, facts.forkedFrom?.message ?? null);
  if (bornAtMs === null || isRestored(session)) return copiedMs;
  const prompts = promptsUntil(session, bornAtMs);
  const [first, last] = [prompts[0], prompts.at(-1)];
  const isCopy = copiedMs !== null || wasWrittenElsewhere(session);
  const isOwn = copiedMs === null ? !isCopy || last !== first : (last ?? copiedMs) > copiedMs;
  if (last !== undefined && isOwn && bornAtMs - last <= limits.transcriptBirthSlackMs)
    return last - limits.transcriptTurnMs;
  return isCopy ? bornAtMs : null;
}

/** Sorted by time: a fork of a compacted session has its records in another order. */
function promptsUntil({ chain }: SessionMessages, untilMs: number): number[] {
  const times = chain.timesMs.filter(
    (atMs, at) => chain.kinds[at] === "p" && atMs !== null && atMs <= untilMs,
  );
  return (times as number[]).sort((a, b) => a - b);
}

/** Its first answers came from a process that began in another session. */
function wasWrittenElsewhere({ id, facts }: SessionMessages): boolean {
  return facts.startedAs !== null && facts.startedAs !== id && facts.beginsWithClear !== true;
}

function isRestored({ bornAtMs, chain }: SessionMessages): boolean {
  const lastAtMs = chain.timesMs.findLast((atMs) => atMs !== null) ?? null;
  return bornAtMs !== null && lastAtMs !== null && bornAtMs > lastAtMs + limits.transcriptBirthSlackMs;
}

function timeOf({ chain }: SessionMessages, message: MessageId | null): number | null {
  const at = message === null ? -1 : chain.messages.indexOf(message);
  return chain.timesMs[at] ?? null;
}
