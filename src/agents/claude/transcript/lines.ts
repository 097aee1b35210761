// Reads the facts of a Claude transcript from its lines. Nearly all lines are only classified, by their bytes; the
// few that decide a fact (the first, the last, the largest) are parsed.
//
// - A record counts by its outermost `type`, and only if its line is JSON. Messages alone are counted by their type,
//   without parsing.
// - The last custom title wins.
// - The context in use is input + cache creation + cache read of the last main-chain answer; the largest is the
//   largest such sum. Records of sub-agents, the client's own error records (`<synthetic>`) and copies without a
//   count are not answers. After a compaction the context in use is unknown until the next answer.
// - A session is cleared if its first message, apart from notes of the client, is the command `/clear`.
// - The last place and time come from the last record of ordinary size. A giant record counts only if it is the
//   first.
// - Copied records (`forkedFrom`) are at the beginning. The last message among them is the fork point; notes of the
//   client after it do not count.
// - The first `session_id` near the beginning says which process wrote the beginning: later ones may come from
//   `/resume` inside another process. The last `session_id` says which process wrote last.
// - A system record of that subtype marks a compaction. Of very many, the last ones are kept.
// - The last error or answer on the main chain, and what a person wrote or ran later, decide how the conversation
//   ends.
// - Times decide what is later, and the root is the first record without a parent near the beginning: 2.1.197 may
//   write an answer before its question.
// - `/model` leaves its output as a user record. The last one names the chosen model.

import { limits } from "../../../limits.js";
import { readSessionId } from "../../../names/gates.js";
import { markFinder, numberBehindKey, otherWord } from "../../../transcripts/scan/outline.js";
import type { Facts, TranscriptParser } from "../../../transcripts/transcript.js";
import { type Json, objectOrNull, textOrNull, timeMs } from "../../record.js";
import { type Answer, answerOf, modelOutput, shownModel } from "./answer-record.js";
import { addChain } from "./chain-lines.js";
import { addEnd, addLastTurn, addWriter, findStartedAs } from "./end-facts.js";
import { holds, isMessage, type Line, lineEnd, lineTypes, parse, typeOf } from "./line.js";
import { type LineList, newLineList } from "./line-list.js";

export const claudeLines: TranscriptParser = {
  name: "claude 8",
  addFacts,
  addChain,
  worker: new URL("./lines-worker.js", import.meta.url),
};

// The ending of all three keys of a usage.
const tokensMark = Buffer.from('input_tokens"');
const findTokens = markFinder(tokensMark);
const boundaryType = "compact_boundary";
const findBoundary = markFinder(Buffer.from(`"${boundaryType}"`));
const findModelOutput = markFinder(Buffer.from(`"${modelOutput}`));
const findCopy = markFinder(Buffer.from('forkedFrom"'));

/** Reused for one block after the other. */
const [titles, records] = [newLineList(), newLineList()];

function addFacts(facts: Facts, bytes: Buffer, from: number, to: number): void {
  titles.clear();
  records.clear();
  const boundaries: Line[] = [];
  const choices: Line[] = [];
  let messages = 0;
  for (let start = from; start < to; ) {
    const end = lineEnd(bytes, start, to);
    const type = typeOf(bytes, start, end);
    if (type === lineTypes.title) titles.add(start, end, type, 0);
    else if (type !== otherWord) {
      const bound = type === lineTypes.assistant ? tokensBound(bytes, start, end) : 0;
      const place = records.length;
      records.add(start, end, type, bound);
      if (type === lineTypes.user || type === lineTypes.assistant) messages++;
      if (type === lineTypes.system && findBoundary(bytes, start, end) >= 0)
        boundaries.push(records.at(place));
      if (type === lineTypes.user && mayBeModelOutput(bytes, start, end)) choices.push(records.at(place));
    }
    start = end + 1;
  }
  addTitle(facts, bytes, titles);
  addBeginning(facts, bytes, records);
  addEnd(facts, bytes, records);
  addLastTurn(facts, bytes, records);
  const compactedAt = addBoundaries(facts, bytes, boundaries);
  addUsage(facts, bytes, records, compactedAt);
  addModelChoice(facts, bytes, choices);
  addWriter(facts, bytes, records);
  facts.messages += messages;
}

function addTitle(facts: Facts, bytes: Buffer, titles: LineList): void {
  for (let at = titles.length - 1; at >= 0; at--) {
    const title = parse(bytes, titles.at(at))?.customTitle;
    if (typeof title !== "string") continue;
    facts.title = title === "" ? null : title;
    return;
  }
}

function addBeginning(facts: Facts, bytes: Buffer, records: LineList): void {
  const copies: Line[] = [];
  let messages = facts.messages;
  for (let at = 0; at < records.length; at++) {
    const line = records.at(at);
    const mayStart = facts.startedAs === null && messages < limits.transcriptHeadMessages;
    const mayRoot = !facts.isRooted && messages < limits.transcriptHeadMessages;
    const isOpen = mayRoot || hasOpenBeginning(facts);
    if (!isOpen && !mayStart && !facts.isCopying) break;
    const isCopy = facts.isCopying && holds(bytes, line, findCopy);
    if (isCopy && isMessage(line)) copies.push(line);
    const isWanted =
      isOpen || (facts.isCopying && !isCopy) || (mayStart && holds(bytes, line, findStartedAs));
    const json = isWanted ? parse(bytes, line) : null;
    if (json !== null) {
      if (mayRoot) root(facts, json);
      begin(facts, json);
      if (mayStart) facts.startedAs = readSessionId(json.session_id);
      if (!isCopy && facts.isCopying) {
        facts.isCopying = false;
        facts.behindCopiesAtMs = timeMs(json.timestamp);
      }
    }
    if (isMessage(line)) messages++;
  }
  for (let at = copies.length - 1; at >= 0; at--) {
    const json = parse(bytes, copies[at]!);
    const origin = forkedFrom(json);
    if (origin === null) continue;
    facts.forkedFrom = origin;
    facts.forkPointAtMs = timeMs(json?.timestamp);
    return;
  }
}

function hasOpenBeginning({ rootMessage, firstCwd, firstAtMs, beginsWithClear }: Facts): boolean {
  return rootMessage === null || firstCwd === null || firstAtMs === null || beginsWithClear === null;
}

function root(facts: Facts, json: Json): void {
  const uuid = textOrNull(json.uuid);
  if (uuid === null) return;
  facts.isRooted = (json.parentUuid ?? null) === null;
  if (facts.isRooted || facts.rootMessage === null) facts.rootMessage = uuid;
}

function begin(facts: Facts, json: Json): void {
  facts.rootMessage ??= textOrNull(json.uuid);
  facts.firstCwd ??= textOrNull(json.cwd);
  facts.firstAtMs ??= timeMs(json.timestamp);
  facts.beginsWithClear ??= isClear(json);
  facts.member ??= memberIn(json);
}

/** The last answer first: it is nearly always the largest too, and then no other needs parsing. */
function addUsage(facts: Facts, bytes: Buffer, records: LineList, compactedAt: number): void {
  if (compactedAt >= 0) setUsed(facts, null);
  for (let at = records.length - 1; at >= 0; at--) {
    const isAnswer = records.typeAt(at) === lineTypes.assistant;
    const answer = isAnswer ? answerOf(parse(bytes, records.at(at))) : null;
    if (answer === null) continue;
    // The model stays known after a compaction.
    facts.model = answer.model;
    facts.askedModel = answer.askedModel;
    facts.largestTokens = Math.max(facts.largestTokens, answer.tokens);
    if (records.at(at).start > compactedAt) setUsed(facts, answer);
    break;
  }
  const larger: number[] = [];
  for (let at = 0; at < records.length; at++) {
    if (records.tokensBound(at) > facts.largestTokens) larger.push(at);
  }
  for (const at of larger.sort((a, b) => records.tokensBound(b) - records.tokensBound(a))) {
    if (records.tokensBound(at) <= facts.largestTokens) return;
    facts.largestTokens = Math.max(facts.largestTokens, answerOf(parse(bytes, records.at(at)))?.tokens ?? 0);
  }
}

/** Null: the conversation was compacted. */
function setUsed(facts: Facts, answer: Answer | null): void {
  facts.isCompacted = answer === null;
  facts.usedTokens = answer?.tokens ?? null;
  facts.usedAtMs = answer?.atMs ?? null;
}

/** The position of the last boundary in these lines, or -1. */
function addBoundaries(facts: Facts, bytes: Buffer, boundaries: readonly Line[]): number {
  let last = -1;
  for (const line of boundaries) {
    const json = parse(bytes, line);
    if (json?.subtype !== boundaryType) continue;
    if (typeof json.uuid === "string") facts.boundaries.push(json.uuid);
    last = line.start;
  }
  facts.boundaries = facts.boundaries.slice(-limits.transcriptBoundaries);
  return last;
}

function mayBeModelOutput(bytes: Buffer, start: number, end: number): boolean {
  return end - start <= limits.transcriptCommandBytes && findModelOutput(bytes, start, end) >= 0;
}

function addModelChoice(facts: Facts, bytes: Buffer, choices: readonly Line[]): void {
  for (const line of choices.toReversed()) {
    const json = parse(bytes, line);
    const output = objectOrNull(json?.message)?.content;
    if (json === null || typeof output !== "string" || !output.startsWith(modelOutput)) continue;
    facts.modelChoice = { shown: shownModel(output), atMs: timeMs(json.timestamp) };
    return;
  }
}

/**
 * The sum of the largest numbers under each of the three keys, anywhere in the line: an upper bound of every `usage`
 * in it. Some client versions repeat the numbers in nested lists, which does not change the largest.
 */
function tokensBound(bytes: Buffer, start: number, end: number): number {
  let [input, creation, read] = [0, 0, 0];
  for (let at = findTokens(bytes, start, end); at >= 0; at = findTokens(bytes, at + tokensMark.length, end)) {
    const number = numberBehindKey(bytes, at + tokensMark.length, end);
    // `"input`, `cache_creation_input`, `cache_read_input`: the letters before them differ.
    if (bytes[at - 1] === quote) input = Math.max(input, number);
    else if (bytes[at - 2] === letterN) creation = Math.max(creation, number);
    else if (bytes[at - 2] === letterD) read = Math.max(read, number);
  }
  return input + creation + read;
}

const [quote, letterN, letterD] = [0x22, 0x6e, 0x64];

function memberIn({ teamName, agentName }: Json): Facts["member"] {
  const [team, name] = [textOrNull(teamName), textOrNull(agentName)];
  return team === null || name === null ? null : { team, name };
}

/** Null before the first message: the client's own records may come first. */
function isClear(json: Json): boolean | null {
  if (json.type === "assistant") return false;
  if (json.type !== "user" || json.isMeta === true) return null;
  const content = objectOrNull(json.message)?.content;
  const first = Array.isArray(content) ? objectOrNull(content[0])?.text : content;
  if (typeof first !== "string" || !/^\s*<command-/.test(first)) return false;
  return /<command-name>([^<]*)<\/command-name>/.exec(first)?.[1] === "/clear";
}

function forkedFrom(json: Json | null): Facts["forkedFrom"] {
  const origin = objectOrNull(json?.forkedFrom);
  const from = readSessionId(origin?.sessionId);
  const message = textOrNull(origin?.messageUuid);
  return from === null || message === null ? null : { sessionId: from, message };
}
