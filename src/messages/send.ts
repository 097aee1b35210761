// Sends one message to one agent: delivers it now, or reports where it is queued and why.
//
// - The message is written to the queue before it is typed. Whatever happens to the sender, the agent takes it once,
//   or it stays queued, or its receipts show what happened.
// - Refused, with nothing written: a text that no agent can get, a pane without an agent, an agent that asks
//   something.
// - Older messages of the same speaker are delivered first; the position counts all queued ones.
// - If delivery fails with an error, the message is either gone from its queue or "queued" with the error as reason.
// - A broadcast has one result per agent, and a failure with one agent does not affect the others.
// - The look that decides whether the agent is idle is taken under the lock of its queue, and the typing relies on
//   it.

import type { DoorName } from "../agents/agent.js";
import { needOf } from "../agents/all.js";
import { HiveError } from "../base/errors.js";
import { LockedError } from "../base/files/lock.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { knownAgent } from "../fleet/roster/known-agent.js";
import { limits } from "../limits.js";
import type { AgentId } from "../names/agent-id.js";
import type { PaneId } from "../names/gates.js";
import { checkText, type Intent, type MessageId } from "../stores/queue/queue-rows.js";
import type { Message, Queues } from "../stores/queues.js";
import { historyOf, type Receipt, receipt } from "../stores/receipts.js";
import type { AgentRow } from "../stores/text/roster-rows.js";
import { whyCutOff } from "./cut-off.js";
import { deliverFirst, drainUnlessLocked, listensFirst, stanceNow } from "./drain.js";
import { textRefusal, whyUnfit } from "./fit.js";
import { beginScreen, paneFor, seeIn } from "./see.js";
import { endedAs, heldInInbox, holderOf, type MessageOutcome } from "./settle.js";
import { formatSpeaker, type Speaker, somebody, speakerIn, speakerKey } from "./speaker.js";
import { inboxStance, type Stance } from "./stance.js";
import { doorFor, inboxOf, stanceAt } from "./which-door.js";
import type { MessageWorld } from "./world.js";

export interface Sent {
  outcome: "delivered" | "queued" | "held" | "refused" | "uncertain";
  /** Null if nothing was written. */
  id: MessageId | null;
  /** 1 is the next one; null if it is not queued. */
  position: number | null;
  /** The reason; may be empty. */
  why: string;
  /** Refused because a dialog is open. */
  isAsked: boolean;
  /** The way that it took; null if it was neither typed nor handed over. */
  door: DoorName | null;
  /** `--now` would hand it over: the agent has an inbox, and its person's words wait. */
  mayGoNow: boolean;
}

export interface SendOptions {
  /** A recent look. */
  seen?: Panes;
  /** Default: a person, whose words wait for their turn. */
  speaker?: Speaker;
}

/** An agent that is not in the roster yet gets an id. */
export async function send(
  world: MessageWorld,
  target: PaneId,
  text: string,
  { seen, speaker = somebody }: SendOptions = {},
): Promise<Sent> {
  checkText(text);
  const panes = seen ?? (await world.panes());
  const pane = panes.panes.find(({ id }) => id === target);
  if (pane === undefined) return refused("its pane is gone");
  needOf(pane.kind, "message");
  const door = doorFor(speaker, { intent: "inform", text }, pane);
  if (typeof door !== "string") throw new HiveError(`refused: ${door.refused}`);
  const unfit = door === "keys" ? whyUnfit(pane, text) : textRefusal(text);
  if (unfit !== null) throw new HiveError(`refused: ${unfit}`);
  const refusal = pane.agent === null ? refusalBy(await stanceNow(world, pane)) : null;
  if (refusal !== null) return refusal;
  const { id } = await knownAgent(world, panes, pane);
  const begun = await world.stores.queues
    .whileDraining(id, () => begin(world, id, target, { text, speaker }, { isAlone: true }), 0)
    .catch((error) => {
      if (!(error instanceof LockedError)) throw error;
      return begin(world, id, target, { text, speaker }, { isAlone: false });
    });
  if (typeof begun !== "string") return begun;
  return orQueued(world, begun, async () => {
    const { stopped } = await drainUnlessLocked(world, id, { upTo: begun, waitMs: limits.sendLockMs });
    return whereItIs(world, id, begun, stopped);
  });
}

export interface BroadcastResult {
  pane: FleetPane;
  sent: Sent;
}

/** One result per pane, in order. All panes must be from `seen`. */
export async function broadcast(
  world: MessageWorld,
  seen: Panes,
  panes: readonly FleetPane[],
  text: string,
  speaker?: Speaker,
): Promise<BroadcastResult[]> {
  const options = { seen, ...(speaker === undefined ? {} : { speaker }) };
  const told: BroadcastResult[] = [];
  for (let from = 0; from < panes.length; from += limits.broadcastAtOnce) {
    const some = panes.slice(from, from + limits.broadcastAtOnce);
    told.push(
      ...(await Promise.all(
        some.map(async (pane) => ({ pane, sent: await tell(world, pane, text, options) })),
      )),
    );
  }
  return told;
}

async function tell(world: MessageWorld, pane: FleetPane, text: string, options: SendOptions): Promise<Sent> {
  try {
    return await send(world, pane.id, text, options);
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
    return refused(error.message);
  }
}

/** The id of a message queued behind others, or else its outcome. Alone: no other process delivers meanwhile. */
async function begin(
  world: MessageWorld,
  agent: AgentId,
  /** Its pane at the last look. */
  target: PaneId,
  { text, speaker }: { text: string; speaker: Speaker },
  { isAlone }: { isAlone: boolean },
): Promise<Sent | MessageId> {
  const screen = beginScreen(world.tmux, target);
  const pane = paneFor(await world.panes(), agent);
  if ("why" in pane) return refused(pane.why);
  const seen = await seeIn(world.tmux, pane, screen);
  const say = { heldBy: holderOf(world, pane), cutOff: () => whyCutOff(world) };
  const isListening = !("kind" in seen) && listensFirst(world, seen, say);
  const door = doorFor(speaker, { intent: "inform", text }, pane, { isListening });
  if (typeof door !== "string") return refused(door.refused);
  const stance = "kind" in seen ? seen : stanceAt(door, seen, say);
  const mayGoNow = !("kind" in seen) && inboxOf(pane) !== null && inboxStance(seen, say).kind === "ready";
  const refusal = refusalBy(stance);
  if (refusal !== null) return { ...refusal, mayGoNow };
  if ("kind" in seen) return refused(stance.why);
  const id = await enqueue(world, pane.agent!, "inform", text, speaker);
  const first = nextOf(world, agent, speaker);
  if (!isAlone || first?.id !== id) return id;
  return orQueued(world, id, async () => {
    const said = stance.kind === "ready" ? await deliverFirst(world, seen, first, speaker) : stance;
    const sent = "step" in said ? sentAs(id, said, door) : whereItIs(world, agent, id, said);
    return { ...sent, mayGoNow };
  });
}

/** The first message of this speaker that is still to be delivered. */
function nextOf({ stores }: MessageWorld, agent: AgentId, speaker: Speaker): Message | undefined {
  const rows = stores.receipts.read().rows;
  return stores.queues.read(agent).messages.find(({ id }) => {
    const history = historyOf(rows, id);
    return history.at(-1)?.step !== "enqueued" && speakerKey(speakerIn(history)) === speakerKey(speaker);
  });
}

/** Its first receipt comes before the message itself: an agent's words must never be taken for a person's. */
export async function enqueue(
  { stores }: Pick<MessageWorld, "stores">,
  { id: agent, address }: Pick<AgentRow, "id" | "address">,
  intent: Intent,
  text: string,
  speaker: Speaker = somebody,
): Promise<MessageId> {
  const record = (id: MessageId) =>
    stores.receipts.append([receipt(id, address, "queued", formatSpeaker(speaker))]);
  const { message } = await stores.queues.append(agent, intent, text, record);
  return message.id;
}

async function orQueued(world: MessageWorld, id: MessageId, work: () => Promise<Sent>): Promise<Sent> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HiveError) || !world.stores.queues.ids().includes(id)) throw error;
    return { ...waits, outcome: "queued", id, why: error.message };
  }
}

function whereItIs({ stores }: MessageWorld, agent: AgentId, id: MessageId, stopped: Stance | null): Sent {
  const position = positionOf(stores.queues, agent, id);
  const history = historyOf(stores.receipts.read().rows, id);
  const last = history.at(-1);
  const hasStep = (wanted: Receipt["step"]) => history.some(({ step }) => step === wanted);
  const door = hasStep("posting") ? "inbox" : hasStep("typing") ? "keys" : null;
  if (last?.step === "enqueued") return sentAs(id, { step: "enqueued", detail: last.detail }, door);
  // If another process drained the message, it recorded the outcome before the message left.
  const ended = position !== null || last === undefined ? null : endedAs(last);
  if (ended !== null) return sentAs(id, ended, door);
  const { kind, why } = stopped ?? { kind: "working", why: "" };
  return { ...waits, outcome: kind === "held" ? "held" : "queued", id, position, why };
}

/** 1 is the next one; null for a message that is not queued. */
export function positionOf(queues: Queues, agent: AgentId, id: MessageId): number | null {
  const at = queues.read(agent).messages.findIndex((each) => each.id === id);
  return at < 0 ? null : at + 1;
}

function sentAs(
  id: MessageId,
  { step, detail }: Pick<MessageOutcome, "step" | "detail">,
  door: DoorName | null,
): Sent {
  if (step === "enqueued" && detail === heldInInbox)
    return { ...waits, outcome: "held", id, why: detail, door };
  const isDelivered = step === "accepted" || step === "enqueued";
  const outcome = isDelivered ? "delivered" : step === "uncertain" ? "uncertain" : "refused";
  return { ...waits, outcome, id, why: detail, door };
}

const waits: Omit<Sent, "outcome" | "id" | "why"> = {
  position: null,
  isAsked: false,
  door: null,
  mayGoNow: false,
};

function refusalBy({ kind, why }: Stance): Sent | null {
  if (kind !== "absent" && kind !== "asking") return null;
  return { ...refused(why), isAsked: kind === "asking" };
}

/** Nothing was written. */
export function refused(why: string): Sent {
  return { ...waits, outcome: "refused", id: null, why };
}
