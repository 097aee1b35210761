// Reads the facts of a conversation from the lines of its rollout. Nearly all lines are only classified, by their
// bytes; the few that decide a fact (the first, the last) are parsed.
//
// - The first `session_meta` describes the conversation. A later one would be a copy's.
// - The context in use is the total of the last `token_count`: the client counts the last answer too, and writes an
//   estimate after a compaction. The total of all turns in the same record is another number.
// - A turn ends with `task_complete`, with an error or an answer, or with `turn_aborted`. A message after it is a
//   prompt. So is a turn that has only begun, or that ended without a word: `/compact`, or a shell line.
// - A rollout has no title: the client keeps names elsewhere (`names.ts`).
// - A fork has none of its parent's records. Its first line names the parent.

import { limits } from "../../../limits.js";
import { readSessionId } from "../../../names/gates.js";
import { markFinder, numberBehindKey } from "../../../transcripts/scan/outline.js";
import type { Facts, LastTurn, TranscriptParser } from "../../../transcripts/transcript.js";
import { type Json, objectOrNull, textOrNull, timeMs } from "../../record.js";
import { kindOf, type LineKind, lineEnd, type Place, parse, payloadOf } from "./line.js";
import { isSubagentSource } from "./subagent.js";
import { windowIn } from "./window.js";

export const codexLines: TranscriptParser = {
  name: "codex 1",
  addFacts,
  worker: new URL("./codex-lines-worker.js", import.meta.url),
};

function addFacts(facts: Facts, bytes: Buffer, from: number, to: number): void {
  const last = new Map<LineKind, Place>();
  let firstMeta: Place | null = null;
  let lastLine: Place | null = null;
  let firstUser: Place | null = null;
  const turnEnds: Place[] = [];
  let prompt: Place | null = null;
  for (let start = from; start < to; ) {
    const end = lineEnd(bytes, start, to);
    const place = { start, end };
    const kind = kindOf(bytes, start, end);
    if (end > start) lastLine = place;
    // A count without numbers says nothing.
    if (kind !== null && (kind !== "tokens" || hasCount(bytes, place))) last.set(kind, place);
    if (kind === "started" || kind === "tokens")
      facts.windowTokens = windowIn(bytes, place) ?? facts.windowTokens;
    if (kind === "meta") firstMeta ??= place;
    if (kind === "user" || kind === "agent") facts.messages++;
    if (kind === "user") firstUser ??= place;
    if (kind === "tokens") facts.largestTokens = Math.max(facts.largestTokens, lastTotal(bytes, start, end));
    if (kind === "complete") turnEnds.push(place);
    if (kind === "started" || kind === "user" || kind === "aborted") prompt = place;
    start = end + 1;
  }
  if (firstMeta !== null && facts.firstAtMs === null)
    begin(facts, parse(bytes, firstMeta.start, firstMeta.end));
  if (firstUser !== null) addRoot(facts, parse(bytes, firstUser.start, firstUser.end));
  addContext(facts, bytes, last.get("context"));
  addUsage(facts, bytes, last.get("tokens"), last.get("compacted"));
  addLastTurn(facts, bytes, turnEnds, prompt);
  addTime(facts, bytes, lastLine);
}

function begin(facts: Facts, json: Json | null): void {
  const meta = payloadOf(json);
  if (meta === null) return;
  facts.firstCwd = textOrNull(meta.cwd);
  facts.lastCwd = facts.firstCwd;
  facts.version = textOrNull(meta.cli_version);
  facts.gitBranch = textOrNull(objectOrNull(meta.git)?.branch);
  facts.firstAtMs = timeMs(meta.timestamp) ?? timeMs(json?.timestamp);
  facts.isCopying = false;
  facts.isSubAgent = meta.thread_source === "subagent" || isSubagentSource(meta.source);
  const parent = readSessionId(meta.forked_from_id);
  if (parent === null) return;
  facts.forkedFrom = { sessionId: parent, message: null };
  facts.behindCopiesAtMs = facts.firstAtMs;
}

function addRoot(facts: Facts, json: Json | null): void {
  facts.beginsWithClear ??= false;
  if (facts.rootMessage !== null) return;
  facts.rootMessage = textOrNull(objectOrNull(payloadOf(json)?.item)?.id);
  facts.isRooted = facts.rootMessage !== null && facts.forkedFrom === null;
}

function addContext(facts: Facts, bytes: Buffer, place: Place | undefined): void {
  const context = place === undefined ? null : payloadOf(parse(bytes, place.start, place.end));
  facts.lastCwd = textOrNull(context?.cwd) ?? facts.lastCwd;
  facts.model = textOrNull(context?.model) ?? facts.model;
}

function addUsage(
  facts: Facts,
  bytes: Buffer,
  tokens: Place | undefined,
  compacted: Place | undefined,
): void {
  if (compacted !== undefined && (tokens === undefined || compacted.start > tokens.start)) {
    facts.isCompacted = true;
    facts.usedTokens = null;
    facts.usedAtMs = null;
    return;
  }
  const json = tokens === undefined ? null : parse(bytes, tokens.start, tokens.end);
  const usage = objectOrNull(objectOrNull(payloadOf(json)?.info)?.last_token_usage);
  if (typeof usage?.total_tokens !== "number") return;
  facts.isCompacted = false;
  facts.usedTokens = usage.total_tokens;
  facts.usedAtMs = timeMs(json?.timestamp);
}

const findLastUsage = markFinder(Buffer.from('"last_token_usage":{'));
const totalMark = Buffer.from('"total_tokens"');
const findTotal = markFinder(totalMark);

function hasCount(bytes: Buffer, { start, end }: Place): boolean {
  return findLastUsage(bytes, start, end) >= 0;
}

/** Without parsing: there is such a line for every answer. */
function lastTotal(bytes: Buffer, start: number, end: number): number {
  const usage = findLastUsage(bytes, start, end);
  const at = usage < 0 ? -1 : findTotal(bytes, usage, end);
  const number = at < 0 ? 0 : numberBehindKey(bytes, at + totalMark.length, end);
  return Number.isFinite(number) ? number : 0;
}

function addLastTurn(facts: Facts, bytes: Buffer, ends: readonly Place[], prompt: Place | null): void {
  let endedAt = -1;
  for (let at = ends.length - 1; at >= 0 && endedAt < 0; at--) {
    const turn = turnOf(parse(bytes, ends[at]!.start, ends[at]!.end));
    if (turn === null) continue;
    facts.lastTurn = turn;
    endedAt = ends[at]!.start;
  }
  if (prompt !== null && prompt.start > endedAt)
    facts.lastTurn = { words: "", atMs: null, ...facts.lastTurn, end: "prompt" };
}

/** Null if nobody said anything in the turn. */
function turnOf(json: Json | null): LastTurn | null {
  const payload = payloadOf(json);
  const atMs = timeMs(json?.timestamp);
  const error = textOrNull(objectOrNull(payload?.error)?.message);
  // The client's errors say at their end when a limit is over.
  if (error !== null) return { end: "error", words: error.trim().slice(0, errorLength), atMs };
  const answer = textOrNull(payload?.last_agent_message);
  return answer === null
    ? null
    : { end: "answer", words: answer.trim().slice(0, limits.transcriptWords), atMs };
}

const errorLength = 400;

const findTimestamp = markFinder(Buffer.from('"timestamp":"'));

function addTime(facts: Facts, bytes: Buffer, line: Place | null): void {
  if (line === null) return;
  const at = findTimestamp(bytes, line.start, Math.min(line.end, line.start + 200));
  const text = at < 0 ? "" : bytes.toString("latin1", at + 13, at + 13 + 24);
  facts.lastAtMs = timeMs(text) ?? facts.lastAtMs ?? facts.firstAtMs;
}
