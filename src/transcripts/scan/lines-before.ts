// Reads the lines of a file backwards, for the end of a long file: only the wanted part is read.

import { readSync } from "node:fs";
import { type ScanLimits, scanLimits } from "./scan.js";

export interface PlacedLine {
  /** The position of its first byte. */
  start: number;
  sizeBytes: number;
  /** Null for a line that is too long to read. */
  text: string | null;
}

/** The lines in `[from, before)`, the last one first, without empty ones. Both ends are beginnings of lines. */
export function* linesBefore(
  fd: number,
  from: number,
  before: number,
  bounds: ScanLimits = scanLimits,
): Generator<PlacedLine> {
  let held: Buffer = Buffer.alloc(0);
  let isTooLong = false;
  // `held` has the bytes from `start` on; the line that ends at `end` is the last in it.
  let [start, end] = [before, before];
  for (;;) {
    const found = held.lastIndexOf(0x0a);
    if (found < 0 && start > from) {
      isTooLong ||= held.length > bounds.lineBytes;
      const length = Math.min(bounds.blockBytes, start - from);
      start -= length;
      const bytes = Buffer.allocUnsafe(length);
      const read = bytes.subarray(0, readSync(fd, bytes, 0, length, start));
      held = isTooLong ? read : Buffer.concat([read, held]);
      continue;
    }
    const lineStart = start + found + 1;
    const sizeBytes = end - lineStart;
    const text = isTooLong || sizeBytes > bounds.lineBytes ? null : held.toString("utf8", found + 1);
    if (sizeBytes > 0) yield { start: lineStart, sizeBytes, text };
    if (found < 0) return;
    end = lineStart - 1;
    held = held.subarray(0, found);
    isTooLong = false;
  }
}
