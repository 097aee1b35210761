// How a conversation ends: where and when its last record was written, how its last turn went, which process wrote it.

import { limits } from "../../limits.js";
import type { Facts, LastTurn } from "../../transcripts/transcript.js";
import { holds, isMessage, type Line, lineTypes, parse, sessionIdOrNull, textOrNull } from "./line.js";
import { timeMs } from "./record.js";
import { followedBy, type Turn, turnOf } from "./turn.js";

const sideMark = Buffer.from('"isSidechain":true');
const commandMark = Buffer.from('"local_command"');
/** The key of the session that the writing process began with. */
export const startedAsMark: Buffer = Buffer.from('session_id"');

export function addEnd(facts: Facts, bytes: Buffer, records: readonly Line[]): void {
  let needsPlace = true;
  let needsTime = true;
  for (let at = records.length - 1; at >= 0 && (needsPlace || needsTime); at--) {
    const line = records[at]!;
    const json = line.end - line.start > limits.transcriptPlainBytes ? null : parse(bytes, line);
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

export function addLastTurn(facts: Facts, bytes: Buffer, records: readonly Line[]): void {
  const prompts: Turn[] = [];
  let last: LastTurn | null = facts.lastTurn;
  for (let at = records.length - 1; at >= 0; at--) {
    const turn = turnAt(bytes, records[at]!);
    if (turn?.end === "prompt") prompts.push(turn);
    else if (turn !== null) {
      last = turn;
      break;
    }
  }
  facts.lastTurn = prompts.reduce(followedBy, last);
}

function turnAt(bytes: Buffer, line: Line): Turn | null {
  if (line.type === lineTypes.system)
    return holds(bytes, line, commandMark) ? turnOf(parse(bytes, line)) : null;
  if (!isMessage(line)) return null;
  // Parsing it is not worth it: no error of the client's own is that long.
  if (line.end - line.start > limits.transcriptTurnBytes && !holds(bytes, line, sideMark))
    return { end: line.type === lineTypes.user ? "prompt" : "answer", words: "", atMs: null };
  return turnOf(parse(bytes, line));
}

/** A client that names its process does so in nearly every answer: where none does, one that is older wrote last. */
export function addWriter(facts: Facts, bytes: Buffer, records: readonly Line[]): void {
  for (const line of records.slice(-limits.transcriptTailRecords).reverse()) {
    const json = holds(bytes, line, startedAsMark) ? parse(bytes, line) : null;
    const sessionId = sessionIdOrNull(json?.session_id);
    if (sessionId === null) continue;
    facts.writtenAs = sessionId;
    facts.writtenAsAtMs = timeMs(json?.timestamp);
    return;
  }
}
