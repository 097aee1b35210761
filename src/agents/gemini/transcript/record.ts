// One record of a session file. Its lines are a head, messages, changes (`$set`) and rewinds (`$rewindTo`).
//
// - The client writes a message again when a tool's result arrives: same id, now with `toolCalls`.
// - `$set.messages` replaces the whole conversation: after an error or a cancelled turn, a compression, a resume.
// - The client's own notes to the model are user messages that begin with `<session_context>` or `<hook_context>`.

import { type Json, objectOrNull, parseRecord, textOrNull, timeMs } from "../../record.js";

export type MessageType = "user" | "gemini" | "error" | "info" | "warning";

export interface Message {
  id: string;
  type: MessageType;
  atMs: number | null;
  json: Json;
}

const types: readonly string[] = ["user", "gemini", "error", "info", "warning"];

/** Null for a record that is not a message. */
export function messageOf(json: Json | null): Message | null {
  const id = textOrNull(json?.id);
  if (json === null || id === null || !types.includes(String(json.type))) return null;
  return { id, type: json.type as MessageType, atMs: timeMs(json.timestamp), json };
}

export function messageIn(line: string): Message | null {
  return messageOf(parseRecord(line));
}

/** The messages of a record that replaces the conversation; null for any other record. */
export function replacedMessages(json: Json | null): Message[] | null {
  const list = objectOrNull(json?.$set)?.messages;
  if (!Array.isArray(list)) return null;
  return list.map((each) => messageOf(objectOrNull(each))).filter((each) => each !== null);
}

/** A text as the person typed it: the client adds the contents of files to what the model gets. */
export function typedText({ json }: Message): string {
  return textIn(json.displayContent ?? json.content);
}

export function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => (typeof part === "string" ? part : (textOrNull(objectOrNull(part)?.text) ?? "")))
    .join("");
}

/** A tool's result, or a note of the client, is not a prompt. */
export function isPrompt(message: Message): boolean {
  return message.type === "user" && !isNote(message) && !isToolResult(message);
}

export function isNote({ type, json }: Message): boolean {
  return type === "user" && /^\s*<(?:session|hook)_context>/.test(textIn(json.content));
}

export function isToolResult({ type, json }: Message): boolean {
  const parts = Array.isArray(json.content) ? json.content : [];
  return type === "user" && parts.some((part) => objectOrNull(part)?.functionResponse !== undefined);
}

/** A message that was written before, now with the results of its tools. */
export function isAgain({ type, json }: Message): boolean {
  return type === "gemini" && Array.isArray(json.toolCalls);
}

/**
 * After a cancelled tool the client writes the conversation down again, with new ids and the time of the cancel: answers
 * without their tokens, prompts in the same millisecond as the record before.
 */
export function isCopy(message: Message, beforeMs: number | null): boolean {
  if (message.type === "gemini") return message.json.tokens === null && Array.isArray(message.json.content);
  return (
    message.type === "user" && !isToolResult(message) && message.atMs !== null && message.atMs === beforeMs
  );
}

/** What the model says in a message; empty if it only calls tools. */
export function spokenText({ type, json }: Message): string {
  return type === "gemini" ? textIn(json.content).trim() : "";
}

export function isCancelled({ type, json }: Message): boolean {
  return type === "info" && /^Request cancelled\./.test(textIn(json.content));
}

export interface Tokens {
  /** What the model read: cached tokens are part of it. */
  input: number;
}

export function tokensOf({ json }: Message): Tokens | null {
  const input = objectOrNull(json.tokens)?.input;
  return Number.isSafeInteger(input) && (input as number) >= 0 ? { input: input as number } : null;
}

/** The folder that the client names in its first note to the model. */
export function folderInNote(message: Message): string | null {
  if (!isNote(message)) return null;
  return /\*\*Workspace Directories:\*\*\n\s+- (\/[^\n]+)\n/.exec(textIn(message.json.content))?.[1] ?? null;
}
