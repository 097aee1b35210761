// The last messages that an agent sent or received, from the receipts. Pure. Receipts have no text.

import { limits } from "../limits.js";
import type { AgentId } from "../names/agent-id.js";
import { type MessageId, messageParts } from "../stores/queue/queue-rows.js";
import { lastSteps, type Receipt } from "../stores/receipts.js";
import type { AgentRow } from "../stores/text/roster-rows.js";
import { speakerIn } from "./speaker.js";

export interface OwnMessage {
  id: MessageId;
  /** The other side: its role, else its id. */
  with: string | null;
  /** When it was queued: `2026-04-22T08:52:40Z`. */
  queuedAt: string;
  step: Receipt["step"];
  stepAt: string;
  detail: string;
}

/** The newest come last. */
export function ownMessages(
  receipts: readonly Receipt[],
  own: AgentId,
  agents: readonly Pick<AgentRow, "id" | "role">[],
): { sent: OwnMessage[]; received: OwnMessage[] } {
  const last = lastSteps(receipts);
  const named = new Map(agents.map(({ id, role }) => [id, role ?? `@${id}`]));
  const nameOf = (agent: AgentId | null) => agent && (named.get(agent) ?? `@${agent}`);
  const [sent, received]: [OwnMessage[], OwnMessage[]] = [[], []];
  for (const first of receipts) {
    if (first.step !== "queued") continue;
    const { id } = first;
    const to = messageParts(id).agent;
    const speaker = speakerIn([first]);
    const { step, at: stepAt, detail } = last.get(id)!;
    const facts = { queuedAt: first.at, step, stepAt, detail: step === "queued" ? "" : detail };
    if (speaker.kind === "agent" && speaker.agent === own) sent.push({ id, with: nameOf(to), ...facts });
    if (to === own) received.push({ id, with: speaker.name, ...facts });
  }
  const newest = (all: OwnMessage[]) => all.slice(-limits.ownMessages);
  return { sent: newest(sent), received: newest(received) };
}

/** The last message from one agent to another. */
export function lastSentTo(receipts: readonly Receipt[], from: AgentId, to: AgentId): MessageId | null {
  const isIt = (each: Receipt) => {
    if (each.step !== "queued" || messageParts(each.id).agent !== to) return false;
    const speaker = speakerIn([each]);
    return speaker.kind === "agent" && speaker.agent === from;
  };
  return receipts.findLast(isIt)?.id ?? null;
}
