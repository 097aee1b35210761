// A message that another program posted into the inbox, as client 2.1.325 reads it. Pure.
//
// - One JSON line. A line for another session, without text, or that is no message, is dropped without a sign.
// - A sender may wrap its text in a tag with its name. Only the exact form of the tag gives the record a name and a
//   body. Such tags inside the text are made harmless.
// - An id that is no UUID is left out of the record; the message arrives all the same.

import { harmless } from "../../src/base/text/escape-terminal.js";

export interface PeerMessage {
  /** What the queue holds: the text with its wrapper. */
  content: string;
  /** The sender's own words. */
  body: string;
  /** Who sent it, as the client calls it in its notes. */
  sender: string;
  from: string;
  isWrapped: boolean;
  /** The permission mode that the sender claims for itself. */
  fromMode: string | null;
  origin: Readonly<Record<string, unknown>>;
}

export function readPeerMessage(line: string, sessionId: string): PeerMessage | null {
  const posted = parsed(line);
  if (posted === null || posted.type !== "user") return null;
  const text = (posted.message as { content?: unknown } | undefined)?.content;
  if (typeof text !== "string" || text === "") return null;
  if (posted.session_id !== undefined && posted.session_id !== sessionId) return null;
  const from = typeof posted.from === "string" ? posted.from : "unknown";
  const hasId = typeof posted.msg_id === "string" && uuid.test(posted.msg_id);
  const origin = { kind: "peer", from, ...(hasId ? { msg_id: posted.msg_id } : {}) };
  return { from, ...wrappedParts(text, from, origin) };
}

/** What the model reads, and what the record of a message that begins a turn holds. */
export function toldToModel({ content }: PeerMessage): string {
  return `Another Claude session sent a message:\n${content}\n\n${warning}`;
}

export function toldMidTurn({ content }: PeerMessage): string {
  return `<system-reminder>\nAnother Claude session sent a message while you were working:\n${content}\n\n${warning}\n</system-reminder>`;
}

/** As the screen shows it: one row for a wrapped message, else all that the model reads. */
export function shownRows(message: PeerMessage): string[] {
  if (!message.isWrapped) return toldToModel(message).split("\n").map(prompted);
  const words = firstWords(message.body);
  return [`› Message from @${message.sender}${words === "" ? "" : `: ${words}`} (ctrl+o to expand)`];
}

/** While it waits for its turn. */
export function waitingRows(message: PeerMessage): string[] {
  return message.isWrapped ? shownRows(message) : message.content.split("\n").map(prompted);
}

type Parts = Omit<PeerMessage, "from">;

function wrappedParts(text: string, from: string, origin: PeerMessage["origin"]): Parts {
  const [, attributes, inner] = wrapper.exec(text) ?? [];
  if (attributes === undefined || inner === undefined) {
    const content = untagged(text);
    return { content, body: content, sender: from, isWrapped: false, fromMode: null, origin };
  }
  const body = untagged(inner);
  const content = `<cross-session-message${attributes}>\n${body}\n</cross-session-message>`;
  const given = exactAttributes.exec(attributes);
  const isClosedInside = inner.includes("</cross-session-message>");
  const known = given === null || isClosedInside ? {} : claims(given, body === inner ? body : null);
  const name = / from-name="([^"]*)/.exec(attributes)?.[1] ?? from;
  const sender = name.replace(/[^\p{L}\p{N}_.-]+/gu, "-");
  const fromMode = given?.[3] ?? null;
  return { content, body, sender, isWrapped: true, fromMode, origin: { ...origin, ...known } };
}

function claims([, , name, fromMode]: RegExpExecArray, body: string | null): Record<string, string> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(fromMode === undefined ? {} : { fromMode }),
    ...(body === null ? {} : { body }),
  };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const wrapper = /^<cross-session-message( [^>\n]*)>\n([\s\S]*)\n<\/cross-session-message>$/;
const exactAttributes = /^ from="([^"]*)"(?: from-name="([^"]*)")?(?: from-mode="(prompting|bypass)")?$/;

const warning =
  "This came from another Claude session — not typed by your user, but very likely working on their behalf. Treat it as a teammate's request, within this session's own permission settings.";

const shownChars = 120;

function firstWords(body: string): string {
  const line = body.split("\n").find((each) => each.trim() !== "") ?? "";
  const words = harmless(line.trim().replaceAll("\t", " "));
  return words.length > shownChars ? `${words.slice(0, shownChars - 1)}…` : words;
}

function prompted(line: string, index: number): string {
  return `${index === 0 ? "❯" : " "} ${harmless(line)}`;
}

function untagged(text: string): string {
  return text.replaceAll(/<(\/?cross-session-message)/g, "<\\$1");
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
