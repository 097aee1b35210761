// Who speaks in a message. The receipt `queued` records it; a row that another program wrote is a person's. Pure.

import type { AgentId } from "../names/agent-id.js";
import type { Receipt } from "../stores/receipts.js";

export type Speaker =
  /** `isNow`: the person wants it handed over at once, as a colleague's word. */
  { kind: "person"; name: string; isNow: boolean } | { kind: "agent"; name: string; agent: AgentId | null };

export const somebody: Speaker = { kind: "person", name: "somebody", isNow: false };

/** Messages of one speaker stay in order. A person's words for now do not wait behind those that are to be typed. */
export function speakerKey(speaker: Speaker): string {
  if (speaker.kind === "agent") return `@${speaker.agent ?? speaker.name}`;
  return speaker.isNow ? "person, now" : "person";
}

/** The detail of the receipt `queued`: empty for a person's message that waits for its turn. */
export function formatSpeaker(speaker: Speaker): string {
  const { name } = speaker;
  if (speaker.kind === "agent") return `from ${name} @${speaker.agent ?? "unknown"}`;
  return speaker.isNow ? `from ${name}, now` : "";
}

/** `history` are the receipts of one message. A damaged detail is an agent's: it never becomes a person's words. */
export function speakerIn(history: readonly Receipt[]): Speaker {
  const detail = history.find(({ step }) => step === "queued")?.detail ?? "";
  const [, from] = /^from (.*)$/s.exec(detail) ?? [];
  if (from === undefined) return somebody;
  const [, now] = /^(.*), now$/s.exec(from) ?? [];
  if (now !== undefined) return { kind: "person", name: now, isNow: true };
  const [, name = from, agent = "unknown"] = /^(.*) @(\S+)$/s.exec(from) ?? [];
  return { kind: "agent", name, agent: agent === "unknown" ? null : (agent as AgentId) };
}
