// One line in a block of transcript bytes. Its type is read from the bytes; the record is parsed only on demand.

import { type markFinder, undecided, wordReader } from "../../../transcripts/scan/outline.js";
import { openWalk } from "../../../transcripts/scan/walk.js";
import { type Json, parseRecord } from "../../record.js";

const types = ["custom-title", "user", "assistant", "system", "attachment"];
export const lineTypes = { title: 0, user: 1, assistant: 2, system: 3 } as const;
const readType = wordReader("type", types);

/** One line of the block. */
export interface Line {
  start: number;
  end: number;
  type: number;
  /** The parsed record, once it was needed; several facts come from the last one. */
  json: Json | null | undefined;
  /** Its short members alone. */
  outline: Json | null | undefined;
}

export function lineAt(start: number, end: number, type: number): Line {
  return { start, end, type, json: undefined, outline: undefined };
}

export function typeOf(bytes: Buffer, start: number, end: number): number {
  const type = readType(bytes, start, end);
  return type === undecided ? types.indexOf(String(parseLine(bytes, start, end)?.type)) : type;
}

export function typeWord({ type }: Line): string {
  return types[type]!;
}

export function isMessage({ type }: Pick<Line, "type">): boolean {
  return type === lineTypes.user || type === lineTypes.assistant;
}

/** Null for a line that is not JSON, or whose type is not the one its bytes seemed to have. */
export function parse(bytes: Buffer, line: Line): Json | null {
  if (line.json === undefined) {
    const json = parseLine(bytes, line.start, line.end);
    line.json = json !== null && json.type === types[line.type] ? json : null;
  }
  return line.json;
}

const shortMembers = [
  ...["type", "subtype", "timestamp", "cwd", "gitBranch", "version", "session_id"],
  ...["isSidechain", "isMeta", "origin"],
] as const;
const { walk, starts, ends } = openWalk(Object.fromEntries(shortMembers.map((key) => [key, null])));

/** The record without its long members: a record of a tool's result is parsed in a fifth of the time. */
export function parseShort(bytes: Buffer, line: Line): Json | null {
  if (line.json !== undefined) return line.json;
  line.outline ??= shortOf(bytes, line);
  return line.outline ?? parse(bytes, line);
}

/** Null if it must be parsed as a whole. */
function shortOf(bytes: Buffer, line: Line): Json | null {
  if (walk(bytes, line.start, line.end) < 0) return null;
  const json: Json = {};
  for (const [place, key] of shortMembers.entries()) {
    if (starts[place] === -1) continue;
    try {
      json[key] = JSON.parse(bytes.toString("utf8", starts[place], ends[place]));
    } catch {
      return null;
    }
  }
  return json.type === types[line.type] ? json : null;
}

function parseLine(bytes: Buffer, start: number, end: number): Json | null {
  return parseRecord(bytes.toString("utf8", start, end));
}

export function lineEnd(bytes: Buffer, start: number, to: number): number {
  const end = bytes.indexOf(0x0a, start);
  return end < 0 || end > to ? to : end;
}

/** Whether the line has a mark that `find` searches. */
export function holds(bytes: Buffer, { start, end }: Line, find: ReturnType<typeof markFinder>): boolean {
  return find(bytes, start, end) >= 0;
}
