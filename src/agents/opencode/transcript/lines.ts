// Reads the facts of a conversation from its lines.
//
// - The context in use is what the model read for the last answer. After a summary it is unknown until the next one.
// - A fork that hivemind made names its origin; the client's own forks name none.
// - The last error or answer, and what a person wrote later, decide how the conversation ends. An interrupted turn ends
//   like a prompt.

import { limits } from "../../../limits.js";
import { readSessionId } from "../../../names/gates.js";
import type { Facts, TranscriptParser } from "../../../transcripts/transcript.js";
import {
  failureOf,
  type Head,
  isSummary,
  linesIn,
  type Message,
  modelOf,
  readTokens,
  wordsOf,
} from "./record.js";

export const opencodeLines: TranscriptParser = { name: "opencode 1", addFacts };

function addFacts(facts: Facts, bytes: Buffer, from: number, to: number): void {
  for (const line of linesIn(bytes, from, to)) {
    if (line.kind === "head") addHead(facts, line.head);
    else if (line.kind === "message") addMessage(facts, line.message);
  }
}

function addHead(facts: Facts, { directory, parent, version, createdAtMs, forkedFrom }: Head): void {
  facts.firstCwd = directory;
  facts.lastCwd = directory;
  facts.version = version;
  facts.isSubAgent = parent !== null;
  facts.firstAtMs = createdAtMs;
  facts.isCopying = false;
  const origin = readSessionId(forkedFrom);
  if (origin !== null) facts.forkedFrom = { sessionId: origin, message: null };
  facts.forkPointAtMs = origin === null ? null : createdAtMs;
}

function addMessage(facts: Facts, message: Message): void {
  const { id, role, atMs } = message;
  facts.messages++;
  facts.lastAtMs = Math.max(facts.lastAtMs ?? 0, atMs ?? 0) || null;
  facts.rootMessage ??= id;
  facts.isRooted = true;
  facts.beginsWithClear ??= false;
  facts.behindCopiesAtMs ??= atMs;
  addTurn(facts, message);
  if (role === "assistant") addAnswer(facts, message);
}

function addAnswer(facts: Facts, message: Message): void {
  facts.model = modelOf(message) ?? facts.model;
  const tokens = readTokens(message);
  if (isSummary(message)) {
    facts.isCompacted = true;
    facts.usedTokens = null;
    facts.usedAtMs = null;
  } else if (tokens !== null) {
    facts.isCompacted = false;
    facts.usedTokens = tokens;
    facts.usedAtMs = message.atMs;
    facts.largestTokens = Math.max(facts.largestTokens, tokens);
  }
}

function addTurn(facts: Facts, message: Message): void {
  const { role, atMs } = message;
  const [failure, words] = [failureOf(message), wordsOf(message).slice(0, limits.transcriptWords)];
  if (role === "user" || failure === "")
    facts.lastTurn = { end: "prompt", words: facts.lastTurn?.words ?? "", atMs };
  else if (failure !== null)
    facts.lastTurn = { end: "error", words: failure.slice(0, limits.transcriptWords), atMs };
  else if (words !== "") facts.lastTurn = { end: "answer", words, atMs };
}
