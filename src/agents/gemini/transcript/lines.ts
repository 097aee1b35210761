// Reads the facts of a session file from its lines. Half of the lines only carry the time of the last change: they are
// skipped by their bytes.
//
// - The title is the summary that a later start of the client in the same folder writes.
// - The context in use is what the model read for the last answer. A list that replaces the conversation brings the
//   numbers of its last answer; without one, or after a rewind, the context in use is unknown until the next answer.
// - Messages are prompts, tool results and answers; an answer that is written again with its tools' results counts once.
//   Copies that the client writes after a cancelled tool do not count.
// - The first message with an id of its own is the root: notes of the client have the same id in every session.
// - The last error or answer, and what a person wrote later, decide how the conversation ends. A cancelled turn ends
//   like a prompt.

import { limits } from "../../../limits.js";
import type { Chain, Facts, TranscriptParser } from "../../../transcripts/transcript.js";
import { type Json, objectOrNull, parseRecord, textOrNull, timeMs } from "../../record.js";
import {
  folderInNote,
  isAgain,
  isCancelled,
  isCopy,
  isNote,
  isPrompt,
  isToolResult,
  type Message,
  messageOf,
  replacedMessages,
  spokenText,
  textIn,
  tokensOf,
} from "./record.js";

export const geminiLines: TranscriptParser = { name: "gemini 1", addFacts, addChain };

function addFacts(facts: Facts, bytes: Buffer, from: number, to: number): void {
  for (const json of recordsIn(bytes, from, to)) {
    const message = messageOf(json);
    if (message !== null) addMessage(facts, message);
    else addOther(facts, json);
  }
}

function addChain(chain: Chain, bytes: Buffer, from: number, to: number): void {
  for (const json of recordsIn(bytes, from, to)) {
    const message = messageOf(json);
    if (message === null || isNote(message) || isAgain(message)) continue;
    if (isCopy(message, chain.timesMs.at(-1) ?? null)) continue;
    chain.messages.push(message.id);
    chain.timesMs.push(message.atMs);
    chain.kinds += kindOf(message);
  }
}

function kindOf(message: Message): string {
  if (isPrompt(message)) return "p";
  return message.type === "gemini" || isToolResult(message) ? "a" : "c";
}

const touch = Buffer.from('{"$set":{"lastUpdated":"');

export function* recordsIn(bytes: Buffer, from: number, to: number): Generator<Json> {
  for (let start = from; start < to; ) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 || found > to ? to : found;
    const json = isTouch(bytes, start, end) ? null : parseRecord(bytes.toString("utf8", start, end));
    if (json !== null) yield json;
    start = end + 1;
  }
}

/** Such a line is a little longer than its mark; a long one carries something else too. */
function isTouch(bytes: Buffer, start: number, end: number): boolean {
  const length = end - start;
  if (length < touch.length || length > touch.length + 40) return false;
  return bytes.compare(touch, 0, touch.length, start, start + touch.length) === 0;
}

function addMessage(facts: Facts, message: Message): void {
  const { id, type, atMs } = message;
  addFolder(facts, message);
  if (isCopy(message, facts.lastAtMs)) return;
  facts.firstAtMs ??= atMs;
  facts.lastAtMs = atMs ?? facts.lastAtMs;
  addTurn(facts, message);
  if (type === "gemini") addAnswer(facts, message);
  if (isNote(message) || isAgain(message) || (type !== "user" && type !== "gemini")) return;
  facts.messages++;
  if (facts.rootMessage !== null) return;
  facts.rootMessage = id;
  facts.isRooted = true;
  facts.beginsWithClear = false;
  facts.isCopying = false;
  facts.behindCopiesAtMs = atMs;
}

function addFolder(facts: Facts, message: Message): void {
  const folder = folderInNote(message);
  facts.firstCwd ??= folder;
  facts.lastCwd = folder ?? facts.lastCwd;
}

function addAnswer(facts: Facts, message: Message): void {
  facts.model = textOrNull(message.json.model) ?? facts.model;
  const tokens = tokensOf(message);
  if (tokens === null) return;
  facts.usedTokens = tokens.input;
  facts.usedAtMs = message.atMs;
  facts.isCompacted = false;
  facts.largestTokens = Math.max(facts.largestTokens, tokens.input);
}

function addTurn(facts: Facts, message: Message): void {
  const { type, atMs, json } = message;
  if (type === "error") facts.lastTurn = { end: "error", words: beginning(textIn(json.content)), atMs };
  else if (isPrompt(message) || isCancelled(message))
    facts.lastTurn = { end: "prompt", words: facts.lastTurn?.words ?? "", atMs };
  else if (spokenText(message) !== "")
    facts.lastTurn = { end: "answer", words: beginning(spokenText(message)), atMs };
}

function beginning(text: string): string {
  return text.slice(0, limits.transcriptWords);
}

/** The head, a change, or a rewind. */
function addOther(facts: Facts, json: Json): void {
  const set = objectOrNull(json.$set);
  addSummary(facts, set ?? json);
  if (typeof json.projectHash === "string") facts.firstAtMs ??= timeMs(json.startTime);
  if (typeof json.$rewindTo === "string") forgetUse(facts, { wasUsed: true });
  const list = replacedMessages(json);
  if (list === null) return;
  for (const message of list) addFolder(facts, message);
  const answers = list.filter((message) => tokensOf(message) !== null);
  forgetUse(facts, { wasUsed: list.some((message) => !isNote(message)) });
  for (const message of answers.slice(-1)) addAnswer(facts, message);
}

function addSummary(facts: Facts, json: Json): void {
  const summary = textOrNull(json.summary)?.replace(/\s+/g, " ").trim();
  if (summary !== undefined) facts.title = summary === "" ? null : summary;
}

function forgetUse(facts: Facts, { wasUsed }: { wasUsed: boolean }): void {
  facts.usedTokens = null;
  facts.usedAtMs = null;
  facts.isCompacted = wasUsed;
}
