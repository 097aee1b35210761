// Rewrites a transcript for a folder whose path changed. The client finds a session by the folder of its file,
// hivemind by the folder in its records, so both must agree.
//
// Only the folder that a record itself names is rewritten, if it is the old one or inside it. Every other byte
// stays.

import { textStart } from "../../../transcripts/scan/json-bytes.js";
import { parseRecord } from "../../record.js";
import { rewritten } from "./rewritten.js";

export interface FolderMove {
  from: string;
  to: string;
}

export function movedLines(bytes: Buffer, move: FolderMove): Buffer {
  const begin = textStart(bytes);
  const parts: Buffer[] = [bytes.subarray(0, begin)];
  for (let start = begin; start < bytes.length; ) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(start, end);
    parts.push(movedLine(line, move) ?? line, bytes.subarray(end, found < 0 ? end : end + 1));
    start = end + 1;
  }
  return Buffer.concat(parts);
}

/** The new `cwd` of a record; empty if it stays. */
export function movedFolder({ cwd }: { cwd?: unknown }, move: FolderMove | undefined): { cwd?: string } {
  if (move === undefined || typeof cwd !== "string") return {};
  if (cwd !== move.from && !cwd.startsWith(`${move.from}/`)) return {};
  return { cwd: move.to + cwd.slice(move.from.length) };
}

function movedLine(line: Buffer, move: FolderMove): Buffer | null {
  const record = line.includes('"cwd"') ? parseRecord(line.toString("utf8")) : null;
  const moved = record === null ? {} : movedFolder(record, move);
  return moved.cwd === undefined ? null : rewritten(line, moved);
}
