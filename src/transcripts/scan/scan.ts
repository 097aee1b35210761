// Reads one file as lines, in blocks of fixed size, and decides later whether it must be read again.
//
// - A file is unchanged only if inode, size, modification time and change time are equal, and it was not written so
//   shortly before the look that its times could hide a change.
// - A file that only grew (same inode, both ends of the read part unchanged) costs its new bytes. After any other
//   change it is read from the start.
// - A last line without its line end counts if it is a whole JSON value; it is read again when the file grows.
// - Memory is bounded by the longest line that is read. A longer one is skipped and reported in its place; the lines
//   after it count.
// - A byte order mark before the first line is not part of it.

import { closeSync, constants, fstatSync, readSync, type Stats } from "node:fs";
import { crc32 } from "node:zlib";
import { openRegular } from "../../base/files/atomic-file.js";
import { limits } from "../../limits.js";
import type { AddLines } from "../transcript.js";
import { textStart } from "./json-bytes.js";

/** The part of `stat` that distinguishes one content from another. */
export interface Stamp {
  inode: number;
  sizeBytes: number;
  modifiedAtMs: number;
  changedAtMs: number;
  bornAtMs: number;
}

/** What was read of a file, and the result. Immutable: it is handed out, and cached. */
export interface Reading<T> {
  stamp: Stamp;
  lookedAtMs: number;
  /** The position after the last line end that was read. */
  offset: number;
  /** The checksums of the first bytes, and of the last ones before `offset`. */
  headSum: number;
  tailSum: number;
  value: T;
  /** The value without the unfinished last line, if that line counted. */
  settled: T | null;
}

/** What decides whether a file must be read again. */
export type Seen = Pick<Reading<unknown>, "stamp" | "lookedAtMs">;

/** A buffer that is reused for one file after the other. */
export interface Block {
  /** The beginning of `whole` that is in use. */
  bytes: Buffer;
  /** Has room for the longest line. Pages that nothing touches take no memory. */
  whole: Buffer;
}

export interface Kind<T> {
  empty: () => T;
  addLines: AddLines<T>;
  /** Called in place of a line that is too long, even an unfinished one. So its result must not be cached. */
  addSkipped?: (into: T, sizeBytes: number) => void;
}

export interface ScanLimits {
  blockBytes: number;
  lineBytes: number;
}

export const scanLimits: ScanLimits = {
  blockBytes: limits.transcriptBlockBytes,
  lineBytes: limits.transcriptLineBytes,
};

export function newBlock(bounds: ScanLimits = scanLimits): Block {
  return blockIn(Buffer.allocUnsafeSlow(Math.max(bounds.blockBytes, bounds.lineBytes)), bounds);
}

export function blockIn(whole: Buffer, { blockBytes }: ScanLimits = scanLimits): Block {
  return { bytes: whole.subarray(0, blockBytes), whole };
}

export function stampOf(stat: Stats): Stamp {
  return {
    inode: stat.ino,
    sizeBytes: stat.size,
    modifiedAtMs: stat.mtimeMs,
    changedAtMs: stat.ctimeMs,
    bornAtMs: stat.birthtimeMs,
  };
}

export type Difference = "none" | "grown" | "other";

export function difference(then: Seen, now: Stamp): Difference {
  const { inode, sizeBytes, modifiedAtMs, changedAtMs } = then.stamp;
  if (inode !== now.inode || now.sizeBytes < sizeBytes) return "other";
  if (now.sizeBytes > sizeBytes) return "grown";
  const isSame = modifiedAtMs === now.modifiedAtMs && changedAtMs === now.changedAtMs;
  return isSame && isSettled(modifiedAtMs, changedAtMs, then.lookedAtMs) ? "none" : "other";
}

/** Whether a later change would have given the file other times. */
export function isSettled(modifiedAtMs: number, changedAtMs: number, lookedAtMs: number): boolean {
  return Math.max(modifiedAtMs, changedAtMs) + limits.transcriptRacyMs <= lookedAtMs;
}

export interface Scanned<T> {
  reading: Reading<T>;
  bytesRead: number;
}

/** Null if the file no longer exists. Throws for an unreadable file and for one that is not regular. */
export function scanFile<T>(
  path: string,
  before: Reading<T> | null,
  kind: Kind<T>,
  block: Block,
  bounds: ScanLimits = scanLimits,
): Scanned<T> | null {
  const fd = openRegular(path, constants.O_RDONLY);
  if (fd === null) return null;
  const usual = block.bytes;
  try {
    const lookedAtMs = Date.now();
    const stamp = stampOf(fstatSync(fd));
    const known = before !== null && onlyGrew(fd, before, stamp) ? before : null;
    const value = known === null ? kind.empty() : structuredClone(known.settled ?? known.value);
    const from = known?.offset || textStart(sample(fd, 0, 3));
    const { offset, rest, end } = addWholeLines(fd, from, stamp.sizeBytes, value, kind, block, bounds);
    const settled = isWholeValue(block.bytes, rest) ? structuredClone(value) : null;
    if (settled !== null) kind.addLines(value, block.bytes, 0, rest);
    const sums = { headSum: sampleSum(fd, offset, "head"), tailSum: sampleSum(fd, offset, "tail") };
    return {
      reading: { stamp: { ...stamp, sizeBytes: end }, lookedAtMs, offset, ...sums, value, settled },
      bytesRead: end - from,
    };
  } finally {
    closeSync(fd);
    block.bytes = usual;
  }
}

/** Leaves `rest` bytes of an unfinished line at the beginning of the block; 0 if it is too long to hold. */
function addWholeLines<T>(
  fd: number,
  from: number,
  to: number,
  value: T,
  kind: Kind<T>,
  block: Block,
  bounds: ScanLimits,
): { offset: number; rest: number; end: number } {
  let offset = from;
  let position = from;
  let held = 0;
  let isSkipping = false;
  while (position < to) {
    if (held === block.bytes.length) {
      if (held < bounds.lineBytes) grow(block, bounds.lineBytes);
      else {
        isSkipping = true;
        held = 0;
      }
    }
    const length = Math.min(block.bytes.length - held, to - position);
    const got = readSync(fd, block.bytes, held, length, position);
    if (got === 0) break;
    position += got;
    const filled = held + got;
    const end = block.bytes.lastIndexOf(0x0a, filled - 1) + 1;
    if (end === 0) {
      held = filled;
      continue;
    }
    const start = isSkipping ? block.bytes.indexOf(0x0a) + 1 : 0;
    if (isSkipping) kind.addSkipped?.(value, position - filled + start - 1 - offset);
    isSkipping = false;
    kind.addLines(value, block.bytes, start, end);
    block.bytes.copyWithin(0, end, filled);
    held = filled - end;
    offset = position - held;
  }
  if (isSkipping) kind.addSkipped?.(value, position - offset);
  return { offset, rest: isSkipping ? 0 : held, end: position };
}

function grow(block: Block, mostBytes: number): void {
  block.bytes = block.whole.subarray(0, Math.min(block.bytes.length * 2, mostBytes));
}

function onlyGrew<T>(fd: number, before: Reading<T>, now: Stamp): boolean {
  return (
    difference(before, now) === "grown" &&
    sampleSum(fd, before.offset, "head") === before.headSum &&
    sampleSum(fd, before.offset, "tail") === before.tailSum
  );
}

function sampleSum(fd: number, offset: number, end: "head" | "tail"): number {
  const length = Math.min(offset, limits.transcriptSampleBytes);
  return crc32(sample(fd, end === "head" ? 0 : offset - length, length));
}

function sample(fd: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, from));
}

function isWholeValue(bytes: Buffer, length: number): boolean {
  if (length === 0) return false;
  try {
    JSON.parse(bytes.toString("utf8", 0, length));
    return true;
  } catch {
    return false;
  }
}
