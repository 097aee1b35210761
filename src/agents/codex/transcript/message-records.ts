// What a rollout proves about one message. Pure.
//
// - A message from the queue is proven by the id that its sender gave it, a typed one by its words. Words that quote
//   a message prove nothing: only the record of a person's own message counts, or the shell line that a person ran.
// - While a message waits in the client's queue, the rollout has no trace of it.
// - Everything about a turn names the turn's id. A message that was entered while the agent worked joins that turn.
// - Slash commands leave no record.

import { createHash } from "node:crypto";
import { recordedWords } from "../../claude/text/compare.js";
import type { MessageKey, MessageTurn, Proof } from "../../message-records.js";
import { type Json, objectOrNull, parseRecord, textOrNull } from "../../record.js";

export function digestOf(text: string): string {
  return createHash("sha256").update(recordedWords(text)).digest("hex").slice(0, 16);
}

/** What these lines prove about the message. Only whole lines count. */
export function proofIn(lines: string, key: MessageKey): Proof {
  const turn = turnOf(lines, key);
  if (turn === null) return "nothing";
  return turn.isRun || turn.behind.some(speaks) ? "answered" : "taken";
}

/** Null if these lines do not show that the agent took the message. */
export function turnIn(lines: string, key: MessageKey): MessageTurn | null {
  const turn = turnOf(lines, key);
  if (turn === null) return null;
  const words = turn.behind
    .filter(speaks)
    .map((payload) => saidIn(payload).trim())
    .filter(Boolean)
    .join("\n\n");
  const end = turn.behind.find(({ type }) => type === "task_complete" || type === "turn_aborted");
  const error = objectOrNull(end?.error);
  const failure = error === null ? "" : (textOrNull(error.message) ?? "");
  return { end: endOf(end, error, words), words, failure };
}

function endOf(end: Json | undefined, error: Json | null, words: string): MessageTurn["end"] {
  if (end === undefined) return words === "" ? "taken" : "begun";
  if (end.type === "turn_aborted") return "interrupted";
  return error === null ? "answered" : "failed";
}

interface Turn {
  /** The client ran the message as a shell line. */
  isRun: boolean;
  /** The events of the same turn after the message. */
  behind: Json[];
}

function turnOf(lines: string, { id, digest }: MessageKey): Turn | null {
  const events = lines.split("\n").slice(0, -1).flatMap(eventIn);
  const isOwn = (payload: Json) =>
    isMessage(payload) &&
    (id === undefined ? digestOf(saidIn(payload)) === digest : itemOf(payload)?.client_id === id);
  const at = events.findLastIndex(isOwn);
  if (at < 0) return null;
  const own = events[at]!;
  const behind = events.slice(at + 1).filter(({ turn_id }) => turn_id === own.turn_id);
  return { isRun: itemOf(own)?.type === "CommandExecution", behind };
}

function eventIn(line: string): Json[] {
  // Most lines are items for the model, and twice as long.
  if (!line.includes('"type":"event_msg"')) return [];
  const record = parseRecord(line);
  const payload = record?.type === "event_msg" ? objectOrNull(record.payload) : null;
  return payload === null ? [] : [payload];
}

function itemOf(payload: Json): Json | null {
  return payload.type === "item_completed" ? objectOrNull(payload.item) : null;
}

function isMessage(payload: Json): boolean {
  const item = itemOf(payload);
  return item?.type === "UserMessage" || (item?.type === "CommandExecution" && item.source === "user_shell");
}

function speaks(payload: Json): boolean {
  return itemOf(payload)?.type === "AgentMessage";
}

function saidIn(payload: Json): string {
  const item = itemOf(payload);
  if (item?.type === "CommandExecution") {
    const command: unknown = Array.isArray(item.command) ? item.command.at(-1) : null;
    return `!${textOrNull(command) ?? ""}`;
  }
  const parts = Array.isArray(item?.content) ? item.content.map(objectOrNull) : [];
  return parts.map((part) => textOrNull(part?.text) ?? "").join("\n");
}
