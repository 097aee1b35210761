// Mail and its fates as bytes. Pure. Everything here was written by another host: each field passes a gate, and the
// subject, which the server checks, says which host wrote it.
//
// [MF1] The sender's host is the one in the subject. An id of another host is refused.
// [MF2] A text that no agent of this host could be sent here is refused here too.

import { HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { limits } from "../../limits.js";
import { isAgentId } from "../../names/agent-id.js";
import { type Host, isField, isHost, isPaneAddress, isRole, type PaneAddress } from "../../names/gates.js";
import { isMailId, type MailId, mailOrigin } from "../../names/mail-id.js";
import { type MailStep, mailSteps } from "../../stores/link/mail-log.js";
import { checkText } from "../../stores/queue/queue-rows.js";
import { unword } from "../subjects.js";

/** Who wrote it, as the sender's host found out. */
export type FarSpeaker =
  | { kind: "person"; name: string }
  /** By its role, else its pane or id. */
  | { kind: "agent"; name: string; pane: PaneAddress | null };

export interface Mail {
  id: MailId;
  /** The agent, as its own host knows it. */
  to: string;
  text: string;
  by: FarSpeaker;
  /** The sender waits for the answer. */
  isAwaited: boolean;
}

export interface MailFate {
  id: MailId;
  step: MailStep;
  detail: string;
}

/** The host that wrote a message: the last word of its subject. Null for a subject that no host has. */
export function writerOf(subject: string): Host | null {
  const name = unword(subject.split(".").at(-1) ?? "");
  return name !== null && isHost(name) ? name : null;
}

export function mailBytes(mail: Mail): Uint8Array {
  checkText(mail.text);
  return bytesOf({ version: 1, ...mail });
}

/** The mail, or why it is refused. The id is null if nobody could be told. */
export function readMail(bytes: Uint8Array, from: Host): Mail | { id: MailId | null; refused: string } {
  const value = objectIn(bytes, limits.mailFormBytes);
  if (value === null) return { id: null, refused: "it cannot be read, or is too large" };
  const id = idOf(value.id, from);
  if (id === null) return { id: null, refused: "its id is not one of the host that sent it" };
  const { to, text, by, isAwaited } = value;
  if (value.version !== 1)
    return { id, refused: "this host does not know its form; it may need a newer hivemind" };
  if (typeof to !== "string" || !isField(to)) return { id, refused: "it names nobody" };
  const speaker = speakerFrom(by);
  if (speaker === null) return { id, refused: "it does not say who sends it" };
  if (typeof text !== "string") return { id, refused: "it has no text" };
  try {
    checkText(text);
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
    return { id, refused: error.message };
  }
  return { id, to, text, by: speaker, isAwaited: isAwaited === true };
}

export function fateBytes(fate: MailFate): Uint8Array {
  return bytesOf({ version: 1, ...fate, detail: fitted(fate.detail) });
}

/** Null for anything that is not the fate of mail of this host. */
export function readFate(bytes: Uint8Array, own: Host): MailFate | null {
  const value = objectIn(bytes, limits.mailFormBytes);
  const id = idOf(value?.id, own);
  const step = mailSteps.find((each) => each === value?.step && each !== "sent");
  if (value === null || id === null || step === undefined) return null;
  const detail = typeof value.detail === "string" ? fitted(value.detail) : "";
  return { id, step, detail };
}

function speakerFrom(by: unknown): FarSpeaker | null {
  if (typeof by !== "object" || by === null) return null;
  const { kind, name, pane } = by as Record<string, unknown>;
  if (typeof name !== "string" || name.length > limits.farNameLength) return null;
  if (kind === "person") return /^[\w.-]+$/.test(name) ? { kind, name } : null;
  const isNamed = isRole(name) || isPaneAddress(name) || isAgentId(name) || name === "background";
  if (kind !== "agent" || !isNamed) return null;
  return { kind, name, pane: typeof pane === "string" && isPaneAddress(pane) ? pane : null };
}

function idOf(value: unknown, from: Host): MailId | null {
  return typeof value === "string" && isMailId(value) && mailOrigin(value) === from ? value : null;
}

/** As a row can hold it, and a terminal show it. */
function fitted(text: string): string {
  return harmless(text.slice(0, limits.fieldLength)).replaceAll("|", "¦").slice(0, limits.farDetailLength);
}

function bytesOf(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function objectIn(bytes: Uint8Array, most: number): Record<string, unknown> | null {
  if (bytes.length > most) return null;
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
