// Who speaks in a message. The receipt `queued` records it; a row that another program wrote is a person's. Pure.

import type { AgentId } from "../names/agent-id.js";
import { isMailId, type MailId } from "../names/mail-id.js";
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

/**
 * The detail of the receipt `queued`: empty for a person's message that waits for its turn. A message of another host
 * has its id there, at the end.
 */
export function formatSpeaker(speaker: Speaker, mail: MailId | null = null): string {
  const { name } = speaker;
  const isWaiting = speaker.kind === "person" && !speaker.isNow;
  if (mail === null && isWaiting) return "";
  const who =
    speaker.kind === "agent"
      ? `from ${name} @${speaker.agent ?? "unknown"}`
      : isWaiting
        ? `by ${name}`
        : `from ${name}, now`;
  return mail === null ? who : `${who} mail ${mail}`;
}

/** The id under which another host sent the message; null for a message of this host. */
export function mailIn(history: readonly Receipt[]): MailId | null {
  const [, id = ""] = mailForm.exec(queuedDetail(history)) ?? [];
  return isMailId(id) ? id : null;
}

const mailForm = / mail (\S+)$/;

function queuedDetail(history: readonly Receipt[]): string {
  return history.find(({ step }) => step === "queued")?.detail ?? "";
}

/** `history` are the receipts of one message. A damaged detail is an agent's: it never becomes a person's words. */
export function speakerIn(history: readonly Receipt[]): Speaker {
  const detail = queuedDetail(history).replace(mailForm, "");
  const [, from] = /^from (.*)$/s.exec(detail) ?? [];
  const [, by] = /^by (.*)$/s.exec(detail) ?? [];
  if (from === undefined) return by === undefined ? somebody : { ...somebody, name: by };
  const [, now] = /^(.*), now$/s.exec(from) ?? [];
  if (now !== undefined) return { kind: "person", name: now, isNow: true };
  const [, name = from, agent = "unknown"] = /^(.*) @(\S+)$/s.exec(from) ?? [];
  return { kind: "agent", name, agent: agent === "unknown" ? null : (agent as AgentId) };
}
