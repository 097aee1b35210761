// Finds lines that may contain a text, by their bytes: parsing gigabytes to find one word would cost ten times as
// much as reading them.
//
// - Every line whose text contains the query is given, in order. Lines that have it only in keys or in members
//   around a message are skipped if the bytes show it. The caller decides whether a given line really contains it.
// - Memory is bounded by the longest line that is read; longer ones are counted.

import { limits } from "../../limits.js";
import { backslash, colon, openBrace, openBracket, quote } from "../scan/json-bytes.js";
import { type Block, scanFile } from "../scan/scan.js";
import type { Query } from "./query.js";

export interface LineSearch {
  query: Query;
  /** Members of the outermost object whose value can be text. Every deeper member can. */
  textMembers: readonly string[];
  /** Called with each line that may contain the query; returns false to stop. */
  onLine(line: string): boolean;
}

/** The number of lines that were too long to be searched. A missing file has none. */
export function searchFile(path: string, search: LineSearch, block: Block): number {
  const kind = {
    empty: () => ({ isDone: false, skippedLines: 0 }),
    addLines: (...call: Call) => addLines(search, ...call),
    addSkipped: (progress: Progress) => void progress.skippedLines++,
  };
  return scanFile(path, null, kind, block)?.reading.value.skippedLines ?? 0;
}

interface Progress {
  isDone: boolean;
  skippedLines: number;
}
type Call = [Progress, Buffer, number, number];

function addLines(search: LineSearch, ...[progress, bytes, from, to]: Call): void {
  const { marks } = search.query;
  const next = marks.map((mark) => mark(bytes, from, to));
  while (!progress.isDone) {
    const found = next.filter((at) => at >= 0);
    if (found.length === 0) return;
    const at = Math.min(...found);
    const end = lineEnd(bytes, at, to);
    const start = bytes.lastIndexOf(lineFeed, at) + 1;
    const isText = mayBeText(bytes, Math.max(start, from), at, end, search.textMembers);
    if (isText) progress.isDone = !search.onLine(bytes.toString("utf8", Math.max(start, from), end));
    const behind = isText ? end : at + 1;
    for (const [place, mark] of marks.entries()) {
      if (next[place]! >= 0 && next[place]! < behind) next[place] = mark(bytes, behind, to);
    }
  }
}

const lineFeed = 0x0a;

/** False only if the bytes leave no doubt. */
function mayBeText(
  bytes: Buffer,
  start: number,
  at: number,
  end: number,
  members: readonly string[],
): boolean {
  const close = closingQuote(bytes, at, end);
  if (close < 0) return true;
  if (bytes[close + 1] === colon) return false;
  if (!isFlat(bytes, start + 1, at)) return true;
  const open = bytes.lastIndexOf(quote, at);
  const isMember = open - 2 > start && bytes[open - 1] === colon && bytes[open - 2] === quote;
  if (!isMember) return true;
  const key = bytes.lastIndexOf(quote, open - 3);
  return key < start || members.includes(bytes.toString("latin1", key + 1, open - 2));
}

/** The end of the string that contains `at`. */
function closingQuote(bytes: Buffer, at: number, end: number): number {
  for (
    let found = bytes.indexOf(quote, at);
    found >= 0 && found < end;
    found = bytes.indexOf(quote, found + 1)
  ) {
    let slashes = 0;
    while (bytes[found - 1 - slashes] === backslash) slashes++;
    if (slashes % 2 === 0) return found;
  }
  return -1;
}

/** Whether nothing nested begins in between, so that the position is in the outermost object. */
function isFlat(bytes: Buffer, from: number, to: number): boolean {
  if (to - from > limits.searchFlatBytes) return false;
  for (let at = from; at < to; at++) if (bytes[at] === openBrace || bytes[at] === openBracket) return false;
  return true;
}

function lineEnd(bytes: Buffer, at: number, to: number): number {
  const end = bytes.indexOf(lineFeed, at);
  return end < 0 || end > to ? to : end;
}
