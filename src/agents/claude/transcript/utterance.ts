// The contents of one line of a Claude transcript.
//
// - Text is what people and agents wrote: messages, thoughts, tool inputs and tool results. Ids, keys, folders and
//   the client's bookkeeping are not.
// - An unknown record is empty. An unknown block keeps its place and its type.

import { type Json, objectOrNull, parseRecord, timeMs } from "../../record.js";
import type { Utterance, UtteranceBlock } from "../../utterance.js";

/** Members of the record itself (not of its message) that hold such text. */
export const textMembers: readonly string[] = ["content"];

export function readUtterance(line: string): Utterance | null {
  const record = parseRecord(line);
  if (record === null) return null;
  const facts = { atMs: timeMs(record.timestamp), isSide: record.isSidechain === true };
  if (record.type === "system") {
    const text = record.content;
    return typeof text === "string" ? { role: "system", ...facts, blocks: [{ kind: "text", text }] } : null;
  }
  if (record.type !== "user" && record.type !== "assistant") return null;
  const blocks = blocksOf(objectOrNull(record.message)?.content);
  if (blocks.length === 0) return null;
  const isResult = blocks.every(({ kind }) => kind === "tool_result");
  // Notes of the client to its agent are written as the user.
  const role = isResult ? "tool" : record.isMeta === true ? "system" : record.type;
  return { role, ...facts, blocks };
}

function blocksOf(content: unknown): UtteranceBlock[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return Array.isArray(content) ? content.map((each) => blockOf(objectOrNull(each) ?? {})) : [];
}

function blockOf(block: Json): UtteranceBlock {
  const other = { kind: "other", type: typeof block.type === "string" ? block.type : "" } as const;
  switch (block.type) {
    case "text":
      return typeof block.text === "string" ? { kind: "text", text: block.text } : other;
    case "thinking":
      return typeof block.thinking === "string" ? { kind: "thinking", text: block.thinking } : other;
    case "tool_use":
      return typeof block.name === "string"
        ? { kind: "tool_use", name: block.name, input: block.input ?? null }
        : other;
    case "tool_result":
      return {
        kind: "tool_result",
        name: null,
        output: outputOf(block.content),
        isError: block.is_error === true,
      };
    default:
      return other;
  }
}

/** A tool result is text, or a list of parts, some of them text. */
function outputOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const parts = content.map((part) => objectOrNull(part)?.text);
  return parts.filter((text) => typeof text === "string").join("\n");
}
