// The contents of one line of a conversation: what people, the model and its tools wrote.

import { type Json, objectOrNull, textOrNull } from "../../record.js";
import type { Utterance, UtteranceBlock } from "../../utterance.js";
import { failureOf, lineOf, type Message } from "./record.js";

export function readUtterance(text: string): Utterance | null {
  const line = lineOf(text);
  if (line?.kind !== "message") return null;
  const { role, atMs } = line.message;
  const blocks = [...line.message.parts.flatMap(blocksOf), ...failureBlocks(line.message)];
  return blocks.length === 0 ? null : { role, atMs, isSide: false, blocks };
}

function blocksOf(part: Json): UtteranceBlock[] {
  const text = textOrNull(part.text) ?? "";
  switch (part.type) {
    case "text":
      return part.synthetic === true || text.trim() === "" ? [] : [{ kind: "text", text }];
    case "reasoning":
      return text.trim() === "" ? [] : [{ kind: "thinking", text }];
    case "tool":
      return toolBlocks(part);
    case "file":
      return [{ kind: "other", type: "file" }];
    default:
      return [];
  }
}

function toolBlocks({ tool, state }: Json): UtteranceBlock[] {
  const name = textOrNull(tool) ?? "";
  const { status, input, output, error } = objectOrNull(state) ?? {};
  const use: UtteranceBlock = { kind: "tool_use", name, input: input ?? null };
  const said = textOrNull(status === "error" ? error : output);
  if (said === null) return [use];
  return [use, { kind: "tool_result", name, output: said, isError: status === "error" }];
}

function failureBlocks(message: Message): UtteranceBlock[] {
  const failure = failureOf(message);
  return failure === null || failure === "" ? [] : [{ kind: "text", text: failure }];
}
