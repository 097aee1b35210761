// Hands one message to an agent's inbox, and decides what became of it.
//
// [PT1] A receipt is written before the first byte. A message is handed over again only if the client certainly has
//       not got it: nobody listened, the client ended without taking it, or it dropped it.
// [PT2] A client that changed its conversation has dropped the message if neither conversation shows it.
// [PT3] Silence proves nothing: the message is uncertain, and never handed over again.
// [PT4] An enqueued message stays in our queue until a record shows that the agent took it.

import { setTimeout as rest } from "node:timers/promises";
import { agentOfKind } from "../agents/all.js";
import { fateOf, identityOf, identityText, parseIdentity } from "../base/processes/process-identity.js";
import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import type { Message } from "../stores/queues.js";
import type { Hands, Refused } from "./deliver.js";
import type { Entry } from "./enter.js";
import { type Mark, markTranscript, proofBehind } from "./proof.js";
import type { Speaker } from "./speaker.js";
import { inboxStance, type PaneView } from "./stance.js";
import { inboxOf } from "./which-door.js";
import type { PaneReader } from "./world.js";

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
  { name }: Speaker,
): Promise<Refused | Handed> {
  const { panes, begin = async () => {}, say = {} } = hands;
  const stance = inboxStance({ pane, ...seen }, say);
  const { live, folder, kind } = pane;
  const [inbox, place] = [agentOfKind(kind)?.inbox, inboxOf(pane)];
  if (stance.kind !== "ready") return { outcome: "refused", why: stance.why, stance };
  if (inbox === undefined || place === null || live === null || folder === null) return none;
  const letter = { id, session: live.sessionId, from: name, text };
  const client = identityOf(place.pid);
  const conversation = { kind, folder, session: live.sessionId };
  const shaped = { text: inbox.contentOf(letter), isCommand: false };
  const handed = { id, from: name, ...(client === null ? {} : { client: identityText(client) }) };
  const mark = markTranscript(conversation, "inbox", shaped, handed);
  await begin(mark);
  const posted = await inbox.post(place, letter);
  if (!posted.isWritten) return { outcome: "returned", why: posted.why };
  return confirmPosted({ panes }, mark, limits.inboxProofMs);
}

const none: Refused = {
  outcome: "refused",
  why: "its client has no inbox",
  stance: { kind: "working", why: "its client has no inbox" },
};

/** Waits until the records, or the end of the client, decide. */
export async function confirmPosted(
  world: Pick<PaneReader, "panes">,
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
      const decided = (await isEnded(mark)) ?? (await hasLeft(world, mark));
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
export async function isEnded(mark: Mark): Promise<Handed | null> {
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
  return { outcome: "returned", why: "its client ended before the agent took the message" };
}

/** For a client that went on in another conversation; null if it did not. */
async function hasLeft({ panes }: Pick<PaneReader, "panes">, mark: Mark): Promise<Handed | null> {
  const now = await sessionNow({ panes }, mark);
  if (now === null || now === mark.session) return null;
  await rest(limits.inboxChangedMs);
  return (
    entryOf(await proofBehind(mark)) ??
    (await takenIn(mark, now)) ?? {
      outcome: "returned",
      why: "its conversation changed before its client read the message",
    }
  );
}

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
