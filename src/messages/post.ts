// Hands one message to an agent's inbox, and decides what became of it.
//
// [PT1] A receipt is written before the first byte. A message is handed over again only if the client certainly has
//       not got it: nobody listened, the client ended without taking it, or it dropped it.
// [PT2] A client that changed its conversation has dropped the message if neither conversation shows it.
// [PT3] Silence proves nothing: the message is uncertain, and never handed over again.
// [PT4] An enqueued message stays in our queue until a record shows that the agent took it.
// [PT5] An inbox that outlives its client is asked whether it still has the message. Only what was withdrawn from it
//       is handed over again.

import { setTimeout as rest } from "node:timers/promises";
import { agentOfKind } from "../agents/all.js";
import { HiveError } from "../base/errors.js";
import { fateOf, identityOf, identityText, parseIdentity } from "../base/system/process-identity.js";
import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import type { Message } from "../stores/queues.js";
import type { Hands, Refused } from "./deliver.js";
import type { Entry } from "./enter.js";
import { type Mark, markTranscript, proofBehind } from "./proof.js";
import type { Speaker } from "./speaker.js";
import { inboxStance, type PaneView } from "./stance.js";
import { inboxOf } from "./which-door.js";
import type { MessageWorld, PaneReader } from "./world.js";

/** What became of a message that was handed to an inbox. */
export type Handed =
  | { outcome: "accepted"; by: "inbox" }
  /** The client has it, and its agent takes it later. Held: the client asks a person first. */
  | { outcome: "enqueued"; isHeld?: true }
  /** The client certainly has not got it. */
  | { outcome: "returned"; why: string; isDropped?: true }
  | Extract<Entry, { outcome: "unconfirmed" }>;

/** `seen` must be from this very moment. */
export async function postInto(
  hands: Hands,
  { pane, ...seen }: PaneView,
  { id, text }: Message,
  { kind: speaks, name }: Speaker,
): Promise<Refused | Handed> {
  const { panes, env = process.env, keyOf = () => null, begin = async () => null, say = {} } = hands;
  const stance = inboxStance({ pane, ...seen }, say);
  const { live, folder, kind } = pane;
  const [inbox, place] = [agentOfKind(kind)?.inbox, inboxOf(pane)];
  if (stance.kind !== "ready") return { outcome: "refused", why: stance.why, stance };
  if (inbox === undefined || place === null || live === null || folder === null) return none;
  const letter = { id, session: live.sessionId, from: name, isUsers: speaks === "person", text };
  const client = identityOf(place.pid);
  const conversation = { kind, folder, session: live.sessionId };
  const shaped = { text: inbox.contentOf(letter), isCommand: false };
  const handed = { id, from: name, ...(client === null ? {} : { client: identityText(client) }) };
  const mark = markTranscript(conversation, "inbox", shaped, handed);
  const late = await begin(mark);
  if (late !== null) return { outcome: "refused", why: late, stance: { kind: "working", why: late } };
  const posted = await inbox.post({ ...place, key: keyOf(live.sessionId) }, letter, env);
  if (!posted.isWritten) return { outcome: "returned", why: posted.why };
  if (posted.isEnqueued) return { outcome: "enqueued" };
  return confirmPosted({ panes, env }, mark, limits.inboxProofMs);
}

const none: Refused = {
  outcome: "refused",
  why: "its client has no inbox",
  stance: { kind: "working", why: "its client has no inbox" },
};

type Confirming = Pick<MessageWorld, "panes" | "env">;

/** Waits until the records, the inbox or the end of the client decide. */
export async function confirmPosted(
  world: Confirming,
  mark: Mark,
  patienceMs: number,
  interrupted?: AbortSignal,
): Promise<Handed> {
  const end = performance.now() + patienceMs;
  let nextLook = performance.now() + limits.inboxLookMs;
  for (let isLast = false; !isLast && interrupted?.aborted !== true; ) {
    const entry = entryOf(await proofBehind(mark));
    if (entry !== null) return entry;
    isLast = performance.now() > end;
    if (isLast || performance.now() >= nextLook) {
      const decided =
        (await isEnded(world, mark)) ?? (await hasLeft(world, mark)) ?? (await isKept(world, mark));
      if (decided !== null) return decided;
      nextLook = performance.now() + limits.inboxLookMs;
    }
    if (!isLast) await rest(limits.deliverPollMs);
  }
  const why = "the message was handed to its inbox, and nothing shows whether its client read it";
  return { outcome: "unconfirmed", isEntered: true, why };
}

/** What a record decides at once; null if nothing is decided. */
export function entryOf(proof: Awaited<ReturnType<typeof proofBehind>>): Handed | null {
  switch (proof) {
    case "nothing":
      return null;
    case "dropped":
      return { outcome: "returned", why: "its client dropped the message", isDropped: true };
    case "held":
      return { outcome: "enqueued", isHeld: true };
    case "enqueued":
    case "leaving":
      return { outcome: "enqueued" };
    default:
      return { outcome: "accepted", by: "inbox" };
  }
}

/** For a client that has ended: it takes nothing more. Null if it runs, or if that is unknown. */
export async function isEnded({ env }: Pick<Confirming, "env">, mark: Mark): Promise<Handed | null> {
  const client = mark.client === undefined ? null : parseIdentity(mark.client);
  if (client === null || fateOf(client) !== "dead") return null;
  // Its last records may be younger than the last look.
  const proof = await proofBehind(mark);
  if (proof === "leaving")
    return {
      outcome: "unconfirmed",
      isEntered: true,
      why: "its client ended while its agent took the message",
    };
  const entry = entryOf(proof);
  if (entry !== null && entry.outcome !== "enqueued") return entry;
  return takenBack({ env }, mark, "its client ended before the agent took the message");
}

/** Enqueued, if an inbox that outlives its client has the message; null if that is unknown. */
async function isKept({ env }: Pick<Confirming, "env">, mark: Mark): Promise<Handed | null> {
  const [kept, letter] = keptOf({ env }, mark);
  const isThere = letter !== null && (await kept?.has(letter).catch(orUnknown));
  return isThere === true ? { outcome: "enqueued" } : null;
}

/** The client does not take the message any more. Whoever opens its conversation next must not get it too. */
export async function takenBack({ env }: Pick<Confirming, "env">, mark: Mark, why: string): Promise<Handed> {
  const [kept, letter] = keptOf({ env }, mark);
  if (kept === undefined || letter === null) return { outcome: "returned", why };
  const isBack = await kept.withdraw(letter).catch(orUnknown);
  if (isBack === true) return { outcome: "returned", why };
  // Nobody could be asked: it may still be there.
  if (isBack === null) return { outcome: "enqueued" };
  await rest(limits.inboxChangedMs);
  const lost = "the message left its client's queue, and nothing shows that its agent took it";
  return entryOf(await proofBehind(mark)) ?? { outcome: "unconfirmed", isEntered: true, why: lost };
}

function keptOf({ env }: Pick<Confirming, "env">, { kind, id, session, folder }: Mark) {
  const letter = id === undefined ? null : { id, session, folder, env };
  return [agentOfKind(kind)?.inbox?.kept, letter] as const;
}

function orUnknown(error: unknown): null {
  if (error instanceof HiveError) return null;
  throw error;
}

/** For a client that went on in another conversation; null if it did not. */
async function hasLeft(world: Confirming, mark: Mark): Promise<Handed | null> {
  const now = await sessionNow(world, mark);
  if (now === null || now === mark.session) return null;
  await rest(limits.inboxChangedMs);
  return (
    entryOf(await proofBehind(mark)) ??
    (await takenIn(mark, now)) ??
    takenBack(world, mark, conversationChanged)
  );
}

export const conversationChanged = "its conversation changed before its client read the message";

/** Whether another conversation of the client shows that the agent took the message; null if it does not. */
export async function takenIn(mark: Mark, session: SessionId): Promise<Handed | null> {
  // From its beginning: the client's notices there may be about other messages.
  const entry = entryOf(await proofBehind({ ...mark, session, sizes: new Map() }));
  return entry?.outcome === "accepted" ? entry : null;
}

/** The conversation that the client of this mark is in; null if it does not report one. */
export async function sessionNow(
  { panes }: Pick<PaneReader, "panes">,
  { client }: Mark,
): Promise<SessionId | null> {
  const pid = client === undefined ? undefined : parseIdentity(client)?.pid;
  const { clients } = await panes();
  return clients.find(({ process }) => process.pid === pid)?.live?.sessionId ?? null;
}
