// The queued messages of each agent, and the uncertain ones, as `queue list --json` prints them.

import { naturalOrder } from "../base/text/natural-order.js";
import type { PaneOrAgent } from "../fleet/find-pane.js";
import type { Panes } from "../fleet/panes.js";
import { standingIn } from "../fleet/roster/roster.js";
import type { PaneAddress } from "../names/gates.js";
import { isExpired, type MessageId, secondsOf } from "../stores/queue/queue-rows.js";
import type { Message } from "../stores/queues.js";
import type { Receipt } from "../stores/receipts.js";
import type { Stores } from "../stores/stores.js";
import type { AgentRow } from "../stores/text/roster-rows.js";
import { type LostMessage, lostMessages } from "./lost-messages.js";
import type { MessageWorld } from "./world.js";

/** The queues of the named agent, or of all. */
export function listQueues(
  { stores }: Pick<MessageWorld, "stores">,
  seen: Panes,
  meant: PaneOrAgent | undefined,
  steps: LastSteps,
) {
  const now = Date.now();
  const queues = agentsMeant(stores, seen, meant).map((agent) => {
    const standing = standingIn(seen.roster, agent);
    const since = standing === "present" ? agent.epoch : null;
    const rows = stores.queues.read(agent.id).messages;
    const messages = rows.map((each) => row(each, steps.get(each.id), now, since));
    return { agent: agent.id, pane: agent.address, role: agent.role, standing, messages };
  });
  const isMeant = meant === undefined ? () => true : meant.agent === null ? () => false : isOf(meant.agent);
  const uncertain = lostMessages(steps.values(), now)
    .filter(({ step }) => step === "uncertain")
    .filter(isMeant)
    .map(({ step: _, ...each }) => each);
  const place = meant?.pane?.address ?? meant?.agent?.address;
  const strangers = stores.queues
    .foreignQueues()
    .filter(({ pane, rows }) => rows.length > 0 && (meant === undefined || pane === place))
    .map(({ pane, path, rows }) => ({ pane, path, messages: rows.length, isTakenIn: isKnown(seen, pane) }));
  return { queues, uncertain, strangers };
}

/** The named agent; else all agents with queued messages. */
export function agentsMeant(
  { queues }: Stores,
  { roster }: Panes,
  meant: PaneOrAgent | undefined,
): AgentRow[] {
  if (meant !== undefined) return meant.agent === null ? [] : [meant.agent];
  const filled = new Set(queues.agents().filter((agent) => queues.read(agent).messages.length > 0));
  const place = ({ address, id }: AgentRow) => address ?? id;
  return roster.agents
    .filter(({ id }) => filled.has(id))
    .toSorted((a, b) => naturalOrder(place(a), place(b)));
}

/** Whether the roster has an agent with this address, present or away. */
function isKnown({ roster }: Panes, place: PaneAddress): boolean {
  return roster.agents.some(({ address }) => address === place);
}

export type LastSteps = ReadonlyMap<MessageId, Receipt>;
export type QueuedRow = ReturnType<typeof row>;

/** `since` is when the agent took its seat; null for an agent that is away: its messages do not expire. */
function row(
  { id, stamp, intent, text }: Message,
  receipt: Receipt | undefined,
  nowMs: number,
  since: number | null,
) {
  const nowSeconds = Math.floor(nowMs / 1000);
  return {
    id,
    epoch: stamp,
    intent,
    text,
    ageSeconds: nowSeconds - secondsOf(stamp),
    expired: since !== null && isExpired(stamp, nowSeconds, since),
    step: receipt?.step ?? "queued",
  };
}

/** Whether the message is for this agent. Earlier versions recorded the pane only. */
export function isOf({ id, address }: AgentRow): (each: Pick<LostMessage, "agent" | "pane">) => boolean {
  return ({ agent, pane }) => (agent === null ? pane !== null && pane === address : agent === id);
}
