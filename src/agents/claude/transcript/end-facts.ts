// How a conversation ends: where and when its last record was written, how its last turn went, and which process
// wrote it.

import { limits } from "../../../limits.js";
import { readSessionId } from "../../../names/gates.js";
import { markFinder } from "../../../transcripts/scan/outline.js";
import type { Facts, LastTurn } from "../../../transcripts/transcript.js";
import { type Json, objectOrNull, textOrNull, timeMs } from "../../record.js";
import { holds, isMessage, type Line, lineTypes, parse, parseShort } from "./line.js";
import type { LineList } from "./line-list.js";

const findSideChain = markFinder(Buffer.from('"isSidechain":true'));
const findCommand = markFinder(Buffer.from('"local_command"'));
/** Finds the key of the session in which the writing process began. */
export const findStartedAs = markFinder(Buffer.from('session_id"'));

export function addEnd(facts: Facts, bytes: Buffer, records: LineList): void {
  let needsPlace = true;
  let needsTime = true;
  for (let at = records.length - 1; at >= 0 && (needsPlace || needsTime); at--) {
    const line = records.at(at);
    const json = line.end - line.start > limits.transcriptPlainBytes ? null : parseShort(bytes, line);
    if (json === null) continue;
    if (needsPlace && typeof json.cwd === "string") {
      facts.lastCwd = json.cwd;
      facts.gitBranch = textOrNull(json.gitBranch);
      facts.version = textOrNull(json.version);
      needsPlace = false;
    }
    const time = timeMs(json.timestamp);
    if (needsTime && time !== null) {
      facts.lastAtMs = time;
      needsTime = false;
    }
  }
  facts.lastCwd ??= facts.firstCwd;
  facts.lastAtMs ??= facts.firstAtMs;
}

export function addLastTurn(facts: Facts, bytes: Buffer, records: LineList): void {
  const prompts: LastTurn[] = [];
  let last: LastTurn | null = facts.lastTurn;
  for (let at = records.length - 1; at >= 0; at--) {
    const turn = turnAt(bytes, records.at(at));
    if (turn?.end === "prompt") prompts.push(turn);
    else if (turn !== null) {
      last = turn;
      break;
    }
  }
  facts.lastTurn = prompts.reduce(followedBy, last);
}

function turnAt(bytes: Buffer, line: Line): LastTurn | null {
  if (line.type === lineTypes.system)
    return holds(bytes, line, findCommand) ? turnOf(parseShort(bytes, line)) : null;
  if (!isMessage(line)) return null;
  // Not worth parsing: the client's own errors are never that long.
  if (line.end - line.start > limits.transcriptTurnBytes && !holds(bytes, line, findSideChain))
    return { end: line.type === lineTypes.user ? "prompt" : "answer", words: "", atMs: null };
  return turnOf(line.type === lineTypes.user ? parseShort(bytes, line) : parse(bytes, line));
}

/**
 * A client that names its process does so in nearly every answer. If no answer has it, an older client wrote last.
 */
export function addWriter(facts: Facts, bytes: Buffer, records: LineList): void {
  const first = Math.max(0, records.length - limits.transcriptTailRecords);
  for (let at = records.length - 1; at >= first; at--) {
    const line = records.at(at);
    const json = holds(bytes, line, findStartedAs) ? parseShort(bytes, line) : null;
    const sessionId = readSessionId(json?.session_id);
    if (sessionId === null) continue;
    facts.writtenAs = sessionId;
    facts.writtenAsAtMs = timeMs(json?.timestamp);
    return;
  }
}

/** Null for a record that is neither an answer nor a prompt: a side chain's, or a note of the client. */
function turnOf(json: Json | null): LastTurn | null {
  if (json === null || json.isSidechain === true) return null;
  const atMs = timeMs(json.timestamp);
  if (json.type === "assistant") {
    const end = json.isApiErrorMessage === true ? "error" : "answer";
    return { end, words: firstWords(objectOrNull(json.message)?.content), atMs };
  }
  return isPrompt(json) ? { end: "prompt", words: "", atMs } : null;
}

/** A prompt written after its own answer follows nothing. */
function followedBy(last: LastTurn | null, prompt: LastTurn): LastTurn {
  if (last === null) return { ...prompt, atMs: null };
  const isEarlier = last.atMs !== null && prompt.atMs !== null && prompt.atMs < last.atMs;
  return isEarlier ? last : { ...last, end: "prompt" };
}

/** From a person or another agent, run by a person (`/rename`, `!ls`), or a tool result. */
function isPrompt({ type, subtype, isMeta, origin }: Json): boolean {
  if (type === "system") return subtype === "local_command";
  return type === "user" && (isMeta !== true || objectOrNull(origin) !== null);
}

function firstWords(content: unknown): string {
  const parts = Array.isArray(content) ? content.map(objectOrNull) : [];
  const text = typeof content === "string" ? content : parts.find((part) => part?.type === "text")?.text;
  return typeof text === "string" ? ownCopy(text.trim().slice(0, limits.transcriptWords)) : "";
}

/** A slice would keep the whole text in memory for as long as the facts. */
function ownCopy(slice: string): string {
  return Buffer.from(slice, "utf16le").toString("utf16le");
}
