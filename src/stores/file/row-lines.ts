// The lines of a row file as bytes, and how they change with the rows. Pure.
//
// [RL1] Lines that are not rows (comments, blank lines, invalid ones) stay byte for byte and in place.
// [RL2] An unchanged row keeps its bytes, its place and its line end.
// [RL3] Keys are compared literally. Of several rows with one key the last counts; changing that key leaves one.
// [RL4] A row that would not read back as itself is refused.

import { isUtf8 } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import { HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { limits } from "../../limits.js";
import type { Problem } from "./error.js";

export interface RowFormat<Row extends object> {
  /** The form of a row, for messages: "a role row is pane|role|epoch". */
  rule: string;
  /** The row, or the problem with it. */
  parse(line: string): Row | string;
  format(row: Row): string;
  key(row: Row): string;
  /** If a row may be longer than in other files. */
  rowBytes?: number;
}

export interface Line<Row> {
  /** Including its line end, if it has one. */
  bytes: Buffer;
  /** Null for a line that is not a row. */
  row: Row | null;
}

export interface Rows<Row> {
  /** One per key, in the order of the file. */
  rows: readonly Row[];
  problems: readonly Problem[];
}

export interface Lines<Row> extends Rows<Row> {
  lines: readonly Line<Row>[];
}

export function parseLines<Row extends object>(
  path: string,
  bytes: Buffer,
  format: RowFormat<Row>,
): Lines<Row> {
  const lines: Line<Row>[] = [];
  const problems: Problem[] = [];
  const byKey = new Map<string, Row>();
  const isClean = isUtf8(bytes);
  for (const lineBytes of splitLines(bytes)) {
    const found = parseLine(lineBytes, isClean, format);
    lines.push({ bytes: lineBytes, row: typeof found === "object" ? found : null });
    if (typeof found === "string") problems.push({ path, line: lines.length, why: found });
    if (found === null || typeof found === "string") continue;
    // Deleted first, so that the rows are in the order of the lines that count.
    byKey.delete(format.key(found));
    byKey.set(format.key(found), found);
  }
  return { lines, rows: [...byKey.values()], problems };
}

/** The new content; null if the rows equal those of the lines. */
export function rewriteLines<Row extends object>(
  { lines, rows: before }: Lines<Row>,
  rows: readonly Row[],
  format: RowFormat<Row>,
): Buffer | null {
  if (rows === before) return null;
  const wanted = new Map(rows.map((row) => [format.key(row), row]));
  const changed = changedRows(before, wanted, format);
  if (changed.size === 0 && wanted.size === before.length) return null;
  const written = new Set<string>();
  const parts: Buffer[] = [];
  // From the end: of several lines with one key, the last one stays.
  for (const line of lines.toReversed()) {
    const key = line.row === null ? null : format.key(line.row);
    if (key !== null && !wanted.has(key)) continue;
    const text = key === null ? undefined : changed.get(key);
    if (text === undefined) parts.push(line.bytes);
    else if (!written.has(key!)) parts.push(Buffer.from(`${text}\n`));
    if (key !== null) written.add(key);
  }
  parts.reverse();
  for (const [key, text] of changed) {
    if (written.has(key)) continue;
    closeLastLine(parts);
    parts.push(Buffer.from(`${text}\n`));
  }
  return Buffer.concat(parts);
}

/** The line of a row, validated: an invalid row never gets into a file. */
export function formatRow<Row extends object>(row: Row, format: RowFormat<Row>): string {
  const text = format.format(row);
  const found = parseLine(Buffer.from(text), true, format);
  if (found !== null && typeof found === "object" && saysTheSame(found, row)) return text;
  throw new HiveError(`refused "${excerpt(text)}": ${format.rule}`);
}

/** Foreign text for a message: escaped and shortened. */
export function excerpt(text: string): string {
  return harmless(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** Compares field by field: a delimiter inside a field can make a valid line with another meaning. */
function saysTheSame<Row extends object>(found: Row, row: Row): boolean {
  return Object.entries(found).every(([key, value]) => isDeepStrictEqual(value, row[key as keyof Row]));
}

function changedRows<Row extends object>(
  before: readonly Row[],
  wanted: ReadonlyMap<string, Row>,
  format: RowFormat<Row>,
): Map<string, string> {
  const old = new Map(before.map((row) => [format.key(row), row]));
  const changed = new Map<string, string>();
  for (const [key, row] of wanted) {
    const was = old.get(key);
    if (was === row || (was !== undefined && format.format(was) === format.format(row))) continue;
    changed.set(key, formatRow(row, format));
  }
  return changed;
}

function* splitLines(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start);
    const next = end < 0 ? bytes.length : end + 1;
    yield bytes.subarray(start, next);
    start = next;
  }
}

/** Null for a comment or a blank line; a string is the problem. */
function parseLine<Row extends object>(
  bytes: Buffer,
  isClean: boolean,
  format: RowFormat<Row>,
): Row | string | null {
  const atMost = format.rowBytes ?? limits.rowBytes;
  if (bytes.length > atMost) return `a line of ${bytes.length} bytes, more than ${atMost}`;
  if (!isClean && !isUtf8(bytes)) return `not UTF-8: "${excerpt(bytes.toString("latin1").trimEnd())}"`;
  const text = bytes.toString("utf8").replace(/\r?\n?$/, "");
  if (/^\s*(#|$)/.test(text)) return null;
  const found = format.parse(text);
  return typeof found === "string" ? `${found}: "${excerpt(text)}"` : found;
}

function closeLastLine(parts: Buffer[]): void {
  const last = parts.at(-1);
  if (last !== undefined && last.at(-1) !== 0x0a) parts.push(Buffer.from("\n"));
}
