// The contents of one line of a rollout.
//
// - The items for the model are the conversation. Events repeat them for the screen, except for the error that ended
//   a turn.
// - The client itself speaks as a user or developer, to describe the folder or its rules. It says what it added:
//   such text is the system's.
// - An unknown item keeps its place and its type.

import { type Json, objectOrNull, parseRecord, textOrNull, timeMs } from "../../record.js";
import type { Utterance, UtteranceBlock } from "../../utterance.js";

export function readUtterance(line: string): Utterance | null {
  const record = parseRecord(line);
  const payload = objectOrNull(record?.payload);
  if (record === null || payload === null) return null;
  const said = saidBy(textOrNull(record.type) ?? "", payload);
  return said === null ? null : { atMs: timeMs(record.timestamp), isSide: false, ...said };
}

type Said = Pick<Utterance, "role" | "blocks">;

function saidBy(type: string, payload: Json): Said | null {
  if (type === "response_item") return saidInItem(payload);
  if (type === "compacted") return system(payload.message);
  const isFailure = type === "event_msg" && payload.type === "task_complete";
  return isFailure ? system(objectOrNull(payload.error)?.message) : null;
}

function system(text: unknown): Said | null {
  return typeof text === "string" ? { role: "system", blocks: [{ kind: "text", text }] } : null;
}

function saidInItem(item: Json): Said | null {
  switch (item.type) {
    case "message": {
      const blocks = textBlocks(item.content);
      return blocks.length === 0 ? null : { role: roleOf(item), blocks };
    }
    case "reasoning": {
      const blocks = [...textBlocks(item.summary, "thinking"), ...textBlocks(item.content, "thinking")];
      return blocks.length === 0 ? null : { role: "assistant", blocks };
    }
    case "function_call":
    case "custom_tool_call": {
      const name = textOrNull(item.name) ?? "";
      const input = item.type === "function_call" ? parsed(item.arguments) : (item.input ?? null);
      return { role: "assistant", blocks: [{ kind: "tool_use", name, input }] };
    }
    case "function_call_output":
    case "custom_tool_call_output": {
      const output = outputOf(item.output);
      return { role: "tool", blocks: [{ kind: "tool_result", name: null, output, isError: false }] };
    }
    default:
      return { role: "assistant", blocks: [{ kind: "other", type: textOrNull(item.type) ?? "" }] };
  }
}

function roleOf(item: Json): Utterance["role"] {
  if (item.role === "assistant") return "assistant";
  if (item.role !== "user") return "system";
  const kinds = objectOrNull(item.internal_chat_message_metadata_passthrough)?.content_item_kinds;
  if (!Array.isArray(kinds)) return isOwnText(item.content) ? "system" : "user";
  return kinds.some((kind) => typeof kind === "string" && /^(user|shell)\./.test(kind)) ? "user" : "system";
}

/** Older clients do not say what they added. */
function isOwnText(content: unknown): boolean {
  const first = Array.isArray(content) ? textOrNull(objectOrNull(content[0])?.text) : null;
  return /^<(?:environment_context|user_instructions|turn_aborted)>/.test(first ?? "");
}

function textBlocks(content: unknown, kind: "text" | "thinking" = "text"): UtteranceBlock[] {
  const parts = Array.isArray(content) ? content.map((part) => objectOrNull(part) ?? {}) : [];
  return parts.map((part) =>
    typeof part.text === "string"
      ? { kind, text: part.text }
      : { kind: "other", type: textOrNull(part.type) ?? "" },
  );
}

/** The model writes the arguments as JSON text. */
function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return text ?? null;
  }
}

function outputOf(output: unknown): string {
  if (typeof output === "string") return output;
  const parts = Array.isArray(output) ? output.map(objectOrNull) : [];
  return parts.flatMap((part) => textOrNull(part?.text) ?? []).join("\n");
}
