// Forks a Claude session without a process: writes the transcript that the client's own `/branch` would leave.
//
// - The copied records come first. Each keeps its uuid and its place in the conversation, has the child's session
//   id, and names the parent's message it copies; every other byte is the parent's.
// - They are in the order of the conversation: the client may write an answer before its question.
// - The copy ends where nothing is open: every tool call of the last turn has its result, and an unanswered question
//   is left out. A turn that was abandoned earlier is history and is copied.
// - Records of the parent alone (titles, modes, file history, side chains) and broken lines are not copied. The
//   child's own title is at the end.
// - The parent's file is only read. The child's file appears whole or not at all, and never replaces another file.

import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { errorCode, HiveError } from "../../../base/errors.js";
import { createFile, FileRefused, readBytes } from "../../../base/files/atomic-file.js";
import { harmless } from "../../../base/text/escape-terminal.js";
import { limits } from "../../../limits.js";
import type { SessionId } from "../../../names/gates.js";
import { textStart } from "../../../transcripts/scan/json-bytes.js";
import type { MessageId } from "../../../transcripts/transcript.js";
import { type Json, objectOrNull, parseRecord } from "../../record.js";
import { type FolderMove, movedFolder } from "./moved-lines.js";
import { rewritten } from "./rewritten.js";

export interface OfflineFork {
  id: SessionId;
  path: string;
  /** The last copied message. */
  forkPoint: MessageId;
  /** Messages of both sides. */
  messages: number;
  /** Messages after the fork point: an unfinished turn. */
  leftOut: number;
}

export interface ForkOrder {
  parent: SessionId;
  title: string;
  /** Set if the copy belongs to another folder than its parent. */
  move?: FolderMove;
  /** The transcript folder to write to (default: the parent's). */
  into?: string;
}

export function forkTranscript(path: string, { into = dirname(path), ...order }: ForkOrder): OfflineFork {
  for (;;) {
    const id = randomUUID() as string as SessionId;
    const fork = forkedLines(readTranscript(path), { ...order, child: id });
    if (fork === null) {
      throw new HiveError(`session ${order.parent} has no answer yet, so there is nothing to fork`);
    }
    const { bytes, ...facts } = fork;
    const place = join(into, `${id}.jsonl`);
    if (createTranscript(place, bytes)) return { id, path: place, ...facts };
  }
}

/** False if something is at that path already; it stays unchanged. */
export function createTranscript(path: string, bytes: Buffer): boolean {
  try {
    return createFile(path, bytes);
  } catch (cause) {
    if (errorCode(cause) === undefined) throw cause;
    throw new HiveError(`could not write ${harmless(path)}: ${harmless((cause as Error).message)}`, {
      cause,
    });
  }
}

/** Reads the whole file: a conversation is copied or rewritten in one step. */
export function readTranscript(path: string): Buffer {
  let bytes: Buffer | null;
  try {
    bytes = readBytes(path, limits.offlineBytes);
  } catch (cause) {
    if (!(cause instanceof FileRefused) && errorCode(cause) === undefined) throw cause;
    throw new HiveError(`could not read ${harmless(path)}: ${harmless((cause as Error).message)}`, { cause });
  }
  if (bytes === null) throw new HiveError(`${harmless(path)} no longer exists`);
  return bytes;
}

export interface ForkedLines extends Omit<OfflineFork, "id" | "path"> {
  bytes: Buffer;
}

/** Null if nothing was answered yet. */
export function forkedLines(
  bytes: Buffer,
  { parent, child, title, move }: Omit<ForkOrder, "into"> & { child: SessionId },
): ForkedLines | null {
  const lines = recordsIn(bytes);
  const records = asSaid([...lines.keys()]);
  const end = endAtRest(records);
  const copied = records.slice(0, end).map((record) => {
    const own = { ...movedFolder(record, move), sessionId: child };
    // Records that the client puts beside the messages have no uuid.
    const { uuid } = record;
    const from = uuid === undefined ? {} : { forkedFrom: { sessionId: parent, messageUuid: uuid } };
    return rewritten(lines.get(record)!, { ...own, ...from });
  });
  const messages = records.slice(0, end).filter(isMessage);
  const forkPoint = messages.at(-1)?.uuid;
  if (typeof forkPoint !== "string") return null;
  const titles = [
    { type: "custom-title", customTitle: title, sessionId: child },
    { type: "agent-name", agentName: title, sessionId: child },
  ].map((record) => Buffer.from(JSON.stringify(record)));
  return {
    bytes: Buffer.concat([...copied, ...titles].flatMap((line) => [line, lineEnd])),
    forkPoint,
    messages: messages.length,
    leftOut: records.slice(end).filter(isMessage).length,
  };
}

const lineEnd = Buffer.from("\n");

/** The records of the conversation, each with its line. */
function recordsIn(bytes: Buffer): Map<Json, Buffer> {
  const records = new Map<Json, Buffer>();
  for (let from = textStart(bytes); from < bytes.length; ) {
    const found = bytes.indexOf(0x0a, from);
    const end = found < 0 ? bytes.length : found;
    const record = parseRecord(bytes.toString("utf8", from, end));
    if (record !== null && isShared(record)) records.set(record, bytes.subarray(from, end));
    from = end + 1;
  }
  return records;
}

function isShared({ uuid, isSidechain, type }: Json): boolean {
  // The client writes these in place of tool results that were too large for its context.
  return isSidechain !== true && (typeof uuid === "string" || type === "content-replacement");
}

/** Each after the record it follows; otherwise in the order of the file. */
function asSaid(records: readonly Json[]): Json[] {
  const known = new Set(records.map(({ uuid }) => uuid));
  const placed = new Set<unknown>();
  const waiting = new Map<unknown, Json[]>();
  const ordered: Json[] = [];
  for (const record of records) {
    const { parentUuid } = record;
    if (typeof parentUuid === "string" && known.has(parentUuid) && !placed.has(parentUuid)) {
      waiting.set(parentUuid, [...(waiting.get(parentUuid) ?? []), record]);
      continue;
    }
    const next = [record];
    for (const each of next) {
      ordered.push(each);
      placed.add(each.uuid);
      next.push(...(waiting.get(each.uuid) ?? []));
      waiting.delete(each.uuid);
    }
  }
  return ordered;
}

/** How many records to copy. */
function endAtRest(records: readonly Json[]): number {
  const openCalls = new Set<unknown>();
  let isAsked = true;
  let end = 0;
  for (const [at, record] of records.entries()) {
    const blocks = blocksOf(record);
    if (record.type === "assistant") {
      isAsked = false;
      for (const { type, id } of blocks) if (type === "tool_use") openCalls.add(id);
    } else if (record.type === "user") {
      const results = blocks.filter(({ type }) => type === "tool_result");
      for (const { tool_use_id } of results) openCalls.delete(tool_use_id);
      if (results.length === 0 && isQuestion(record)) {
        isAsked = true;
        openCalls.clear();
      }
    }
    if (!isAsked && openCalls.size === 0) end = at + 1;
  }
  return end;
}

/** Notes that the client writes as the user, and the summary of a compaction, need no answer. */
function isQuestion({ isMeta, isCompactSummary, message }: Json): boolean {
  if (isMeta === true || isCompactSummary === true) return false;
  const content = objectOrNull(message)?.content;
  return !(typeof content === "string" && /^\s*<(?:command-|local-command-)/.test(content));
}

function blocksOf({ message }: Json): Json[] {
  const content = objectOrNull(message)?.content;
  return Array.isArray(content) ? content.map(objectOrNull).filter((each) => each !== null) : [];
}

function isMessage({ type }: Json): boolean {
  return type === "user" || type === "assistant";
}
