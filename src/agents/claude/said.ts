// What one line of a Claude transcript says.
//
// [JTX1] Text is what people and agents wrote: words of messages, thoughts, what tools were given and answered. Ids, keys,
//        folders and the client's own bookkeeping are not.
// [JTX2] A record that is not understood says nothing; a block that is not understood keeps its place and its type.

import type { Said, SaidBlock } from "../said.js";
import { type Json, objectOrNull, parseRecord, timeMs } from "./record.js";

/** Members of a record itself (not of its message) that hold such text. */
export const textMembers: readonly string[] = ["content"];

export function claudeSaid(line: string): Said | null {
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
  // What the client notes for its agent stands in the person's name.
  const role = isResult ? "tool" : record.isMeta === true ? "system" : record.type;
  return { role, ...facts, blocks };
}

function blocksOf(content: unknown): SaidBlock[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return Array.isArray(content) ? content.map((each) => blockOf(objectOrNull(each) ?? {})) : [];
}

function blockOf(block: Json): SaidBlock {
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

/** A tool answers with text, or with parts of which some are text. */
function outputOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const parts = content.map((part) => objectOrNull(part)?.text);
  return parts.filter((text) => typeof text === "string").join("\n");
}
