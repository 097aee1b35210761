// One line in a block of transcript bytes. Its type is read from the bytes; the record is parsed only on demand.

import { undecided, wordReader } from "../../../transcripts/scan/outline.js";
import { type Json, parseRecord } from "./record.js";

const types = ["custom-title", "user", "assistant", "system", "attachment"];
export const lineTypes = { title: 0, user: 1, assistant: 2, system: 3 } as const;
const readType = wordReader("type", types);

/** One line of the block. */
export interface Line {
  start: number;
  end: number;
  type: number;
  /** An upper bound of the tokens it used, if it is an answer. */
  tokensBound: number;
}

export function typeOf(bytes: Buffer, start: number, end: number): number {
  const type = readType(bytes, start, end);
  return type === undecided ? types.indexOf(String(parseLine(bytes, start, end)?.type)) : type;
}

export function isMessage(line: Line): boolean {
  return line.type === lineTypes.user || line.type === lineTypes.assistant;
}

/** Null for a line that is not JSON, or whose type is not the one its bytes seemed to have. */
export function parse(bytes: Buffer, line: Line): Json | null {
  const json = parseLine(bytes, line.start, line.end);
  return json !== null && json.type === types[line.type] ? json : null;
}

function parseLine(bytes: Buffer, start: number, end: number): Json | null {
  return parseRecord(bytes.toString("utf8", start, end));
}

export function lineEnd(bytes: Buffer, start: number, to: number): number {
  const end = bytes.indexOf(0x0a, start);
  return end < 0 || end > to ? to : end;
}

export function holds(bytes: Buffer, line: Line, mark: Buffer): boolean {
  return bytes.subarray(line.start, line.end).includes(mark);
}
