// The messages of one agent with all their receipts: what it was sent, what it sent, and what became of each. Pure.

import { groupBy } from "../base/group-by.js";
import type { AgentId } from "../names/agent-id.js";
import { type MessageId, messageParts } from "../stores/queue/queue-rows.js";
import { historyOf, type Receipt, type ReceiptStep } from "../stores/receipts.js";
import type { AgentRow } from "../stores/text/roster-rows.js";
import { speakerIn } from "./speaker.js";

export interface AgentMessage {
  id: MessageId;
  direction: "received" | "sent";
  /** The other side. A person has no id, and neither has an agent that nobody knows any more. */
  with: { kind: "person" | "agent"; name: string; agent: AgentId | null };
  /** Null if hivemind no longer has it: the text of a delivered message is in the conversation. */
  text: string | null;
  /** How it was handed over; null if it was not. */
  door: "keys" | "inbox" | null;
  step: ReceiptStep;
  /** Oldest first. */
  steps: readonly Pick<Receipt, "at" | "step" | "pane" | "detail">[];
}

/** The newest come last. */
export function agentMessages(
  receipts: readonly Receipt[],
  own: AgentId,
  {
    agents,
    textOf,
    most,
  }: {
    agents: readonly Pick<AgentRow, "id" | "role">[];
    textOf: (id: MessageId) => string | null;
    most: number;
  },
): AgentMessage[] {
  const roles = new Map(agents.map(({ id, role }) => [id, role ?? `@${id}`]));
  const found: AgentMessage[] = [];
  for (const [id, rows] of groupBy(receipts, (each) => each.id)) {
    const steps = historyOf(rows, id);
    const speaker = speakerIn(steps);
    const to = messageParts(id).agent;
    const isSent = speaker.kind === "agent" && speaker.agent === own;
    if (!isSent && to !== own) continue;
    const other = isSent
      ? { kind: "agent" as const, name: (to && roles.get(to)) ?? `@${to}`, agent: to }
      : { kind: speaker.kind, name: speaker.name, agent: speaker.kind === "agent" ? speaker.agent : null };
    found.push({
      id,
      direction: isSent ? "sent" : "received",
      with: other,
      text: textOf(id),
      door: doorIn(steps),
      step: steps.at(-1)!.step,
      steps: steps.map(({ at, step, pane, detail }) => ({ at, step, pane, detail })),
    });
  }
  return found.slice(-most);
}

/** The last way that was tried. */
function doorIn(steps: readonly Receipt[]): AgentMessage["door"] {
  const last = steps.findLast(({ step }) => step === "typing" || step === "posting");
  if (last === undefined) return null;
  return last.step === "typing" ? "keys" : "inbox";
}
