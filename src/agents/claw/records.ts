// The records of a managed session's file, one JSON object per line, and how they are written.
//
// - A line has its keys in alphabetical order at every depth, and only integers: the client's reader accepts no
//   others.
// - Only records that the client can read are written: its three types, each with the keys it needs.

import { HiveError } from "../../base/errors.js";
import { limits } from "../../limits.js";

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** Known types are message, compaction and prompt_history; a file may have others. */
export interface ManagedRecord extends JsonObject {
  type: string;
}

export interface ManagedMessage {
  role: "system" | "user" | "assistant" | "tool";
  blocks: ManagedBlock[];
}

/** A block of a message, as far as a reader of conversations needs it. */
export type ManagedBlock =
  | { kind: "text" | "thinking"; text: string }
  | { kind: "tool_use"; name: string; input: string }
  | { kind: "tool_result"; name: string | null; output: string; isError: boolean }
  | { kind: "other"; type: string };

/** Includes the line end. A record that cannot be written is refused. */
export function recordLine(record: JsonObject): string {
  return `${jsonText(record, 0)}\n`;
}

export function checkedRecord(record: ManagedRecord): ManagedRecord {
  const rule = rules.find(({ type }) => type === record.type);
  if (rule === undefined) {
    const known = rules.map(({ type }) => type).join(", ");
    throw new HiveError(`refused a record of type ${JSON.stringify(record.type)}: the types are ${known}`);
  }
  if (!rule.fits(record)) throw new HiveError(`refused a record of type ${rule.type}: it needs ${rule.has}`);
  return record;
}

/** Null for a value that is not a message. */
export function readMessage(value: Json | undefined): ManagedMessage | null {
  if (!isObject(value) || !Array.isArray(value.blocks)) return null;
  const role = roles.find((each) => each === value.role);
  return role === undefined ? null : { role, blocks: value.blocks.map(readBlock) };
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function readText(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

/** A non-negative safe integer, or null. */
export function readCount(value: Json | undefined): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}

/** Null also for a time outside the range of dates. */
export function readTime(value: Json | undefined): number | null {
  const ms = readCount(value);
  return ms !== null && ms <= limits.latestTimeMs ? ms : null;
}

const roles = ["system", "user", "assistant", "tool"] as const;

const rules: readonly { type: string; has: string; fits(record: JsonObject): boolean }[] = [
  {
    type: "message",
    has: `a message with a role (${roles.join(", ")}) and blocks of type text, thinking, tool_use or tool_result`,
    fits: ({ message }) => readMessage(message)?.blocks.every(({ kind }) => kind !== "other") ?? false,
  },
  {
    type: "compaction",
    has: "a count, a removed_message_count and a summary",
    fits: ({ count, removed_message_count, summary }) =>
      readCount(count) !== null && readCount(removed_message_count) !== null && typeof summary === "string",
  },
  {
    type: "prompt_history",
    has: "a timestamp_ms and a text",
    fits: ({ timestamp_ms, text }) => readCount(timestamp_ms) !== null && typeof text === "string",
  },
];

/** A block that lacks what its type needs is `other`. */
function readBlock(value: Json): ManagedBlock {
  const block = isObject(value) ? value : {};
  const text = (key: string) => readText(block[key]);
  const other = { kind: "other", type: text("type") ?? "" } as const;
  switch (block.type) {
    case "text":
    case "thinking": {
      const words = text(block.type);
      return words === null ? other : { kind: block.type, text: words };
    }
    case "tool_use": {
      const [id, name, input] = [text("id"), text("name"), text("input")];
      return id === null || name === null || input === null ? other : { kind: "tool_use", name, input };
    }
    case "tool_result": {
      const output = text("output");
      if (output === null || text("tool_use_id") === null) return other;
      return { kind: "tool_result", name: text("tool_name"), output, isError: block.is_error === true };
    }
    default:
      return other;
  }
}

function jsonText(value: Json, depth: number): string {
  if (depth > limits.managedDepth) throw new HiveError("refused a record that is nested too deeply");
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new HiveError(`refused the number ${value}: a managed session holds integers only`);
  }
  if (Array.isArray(value)) return `[${value.map((each) => jsonText(each, depth + 1)).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${jsonText(value[key]!, depth + 1)}`);
  return `{${members.join(",")}}`;
}
