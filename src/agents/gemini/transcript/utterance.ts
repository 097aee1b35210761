// The contents of one line of a session file.
//
// - Text is what people and the model wrote: messages, thoughts, tool inputs and tool results.
// - An answer that is written again holds the inputs and results of its tools, and is shown for these alone. The tool
//   results in messages of the user repeat them and have no text.
// - Answers that the client writes down again after a cancelled tool are empty.
// - A record that replaces the conversation repeats messages and is empty, and so is every other change.

import { type Json, objectOrNull, textOrNull } from "../../record.js";
import type { Utterance, UtteranceBlock } from "../../utterance.js";
import { isAgain, isCopy, isNote, type Message, messageIn, textIn, typedText } from "./record.js";

export function readUtterance(line: string): Utterance | null {
  const message = messageIn(line);
  if (message === null || isCopy(message, null)) return null;
  const blocks = blocksOf(message);
  return blocks.length === 0 ? null : { role: roleOf(message), atMs: message.atMs, isSide: false, blocks };
}

function roleOf(message: Message): Utterance["role"] {
  if (message.type === "gemini") return "assistant";
  return message.type === "user" && !isNote(message) ? "user" : "system";
}

function blocksOf(message: Message): UtteranceBlock[] {
  const { type, json } = message;
  if (type === "user") return textBlocks(typedText(message));
  if (type !== "gemini") return textBlocks(textIn(json.content));
  if (isAgain(message)) return objectsIn(json.toolCalls).flatMap(toolBlocks);
  const thoughts = objectsIn(json.thoughts).map(thoughtBlock);
  return [...thoughts, ...textBlocks(textIn(json.content))];
}

function textBlocks(text: string): UtteranceBlock[] {
  return text.trim() === "" ? [] : [{ kind: "text", text }];
}

function thoughtBlock({ subject, description }: Json): UtteranceBlock {
  return {
    kind: "thinking",
    text: [subject, description].filter((each) => typeof each === "string").join(": "),
  };
}

function toolBlocks({ name, args, result, status }: Json): UtteranceBlock[] {
  const tool = textOrNull(name) ?? "";
  return [
    { kind: "tool_use", name: tool, input: args ?? null },
    ...(result === undefined || result === null
      ? []
      : [
          { kind: "tool_result", name: tool, output: outputOf(result), isError: status === "error" } as const,
        ]),
  ];
}

function outputOf(result: unknown): string {
  if (typeof result === "string") return result;
  const responses = objectsIn(result).map((part) =>
    objectOrNull(objectOrNull(part.functionResponse)?.response),
  );
  return responses.flatMap((each) => textOrNull(each?.output) ?? textOrNull(each?.error) ?? []).join("\n");
}

function objectsIn(value: unknown): Json[] {
  const list = Array.isArray(value) ? value : [];
  return list.map(objectOrNull).filter((each) => each !== null);
}
