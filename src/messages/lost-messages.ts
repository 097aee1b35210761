// Messages that need a person: hivemind will not deliver them, or cannot tell whether they arrived.

import { parseUtc } from "../base/text/utc.js";
import { limits } from "../limits.js";
import type { AgentId } from "../names/agent-id.js";
import type { PaneAddress } from "../names/gates.js";
import { type MessageId, messageParts } from "../stores/queue/queue-rows.js";
import type { Receipt } from "../stores/receipts.js";

export interface LostMessage {
  id: MessageId;
  step: "uncertain" | "expired" | "refused";
  /** Null if an earlier version recorded the pane only. */
  agent: AgentId | null;
  pane: PaneAddress | null;
  at: string;
  detail: string;
  ageSeconds: number;
}

/** Those of the last day: a person has looked at older ones, or never will. `last` has the last step of each message. */
export function lostMessages(last: Iterable<Receipt>, nowMs: number): LostMessage[] {
  return [...last].flatMap(({ id, pane, at, step, detail }) => {
    const ageSeconds = Math.floor((nowMs - (parseUtc(at) ?? 0)) / 1000);
    const isLost = step === "uncertain" || step === "expired" || step === "refused";
    if (!isLost || ageSeconds * 1000 > limits.uncertainShownMs) return [];
    return [{ id, step, agent: messageParts(id).agent, pane, at, detail, ageSeconds }];
  });
}
