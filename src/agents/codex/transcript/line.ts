// One line of a rollout. What it is comes from its bytes; the record is parsed only on demand.

import { markFinder, undecided, wordReader } from "../../../transcripts/scan/outline.js";
import { type Json, objectOrNull, parseRecord, textOrNull } from "../../record.js";

/** A line within the bytes that are read. */
export interface Place {
  start: number;
  end: number;
}

/** The lines that decide a fact. `user` and `agent` are what a person and the agent said. */
export type LineKind =
  | "meta"
  | "context"
  | "compacted"
  | "started"
  | "complete"
  | "aborted"
  | "tokens"
  | "user"
  | "agent";

const types: readonly string[] = ["session_meta", "turn_context", "compacted", "event_msg"];
const typeKinds: readonly LineKind[] = ["meta", "context", "compacted"];
const readType = wordReader("type", types);

const events: ReadonlyMap<string, LineKind> = new Map([
  ["task_started", "started"],
  ["task_complete", "complete"],
  ["turn_aborted", "aborted"],
  ["token_count", "tokens"],
  // 0.120 writes these two; 0.166 writes items instead.
  ["user_message", "user"],
  ["agent_message", "agent"],
]);
const items: ReadonlyMap<string, LineKind> = new Map([
  ["UserMessage", "user"],
  ["AgentMessage", "agent"],
]);

const quote = 0x22;
// Inside a string the quotes of such a mark would be escaped.
const payloadMark = Buffer.from('"payload":{"type":"');
const itemMark = Buffer.from('"item":{"type":"');
const [findPayload, findItem] = [markFinder(payloadMark), markFinder(itemMark)];
/** The members before these marks are short ids and times. */
const headBytes = 1_000;

export function kindOf(bytes: Buffer, start: number, end: number): LineKind | null {
  const type = readType(bytes, start, end);
  if (type === undecided) return kindOfRecord(parse(bytes, start, end));
  const plain = typeKinds[type];
  if (plain !== undefined || type < 0) return plain ?? null;
  const head = Math.min(end, start + headBytes);
  const event = wordBehind(bytes, findPayload(bytes, start, head), payloadMark.length, head);
  if (event === null) return kindOfRecord(parse(bytes, start, end));
  if (event !== "item_completed") return events.get(event) ?? null;
  const item = wordBehind(bytes, findItem(bytes, start, head), itemMark.length, head);
  return item === null ? kindOfRecord(parse(bytes, start, end)) : (items.get(item) ?? null);
}

function kindOfRecord(json: Json | null): LineKind | null {
  const type = types.indexOf(String(json?.type));
  if (type < 0) return null;
  const payload = objectOrNull(json?.payload);
  const event = textOrNull(payload?.type) ?? "";
  if (type < typeKinds.length) return typeKinds[type]!;
  if (event !== "item_completed") return events.get(event) ?? null;
  return items.get(textOrNull(objectOrNull(payload?.item)?.type) ?? "") ?? null;
}

function wordBehind(bytes: Buffer, mark: number, length: number, to: number): string | null {
  if (mark < 0) return null;
  const end = bytes.indexOf(quote, mark + length);
  return end < 0 || end >= to ? null : bytes.toString("latin1", mark + length, end);
}

/** Null for a line that is not a JSON object. */
export function parse(bytes: Buffer, start: number, end: number): Json | null {
  return parseRecord(bytes.toString("utf8", start, end));
}

export function payloadOf(json: Json | null): Json | null {
  return objectOrNull(json?.payload);
}

export function lineEnd(bytes: Buffer, start: number, to: number): number {
  const end = bytes.indexOf(0x0a, start);
  return end < 0 || end > to ? to : end;
}
