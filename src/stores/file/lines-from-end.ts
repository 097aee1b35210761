// Reads a long log from its end, in chunks of whole lines: the newest rows come first, and the reader may stop.

import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { openRegular } from "../../base/files/atomic-file.js";
import { guard } from "./error.js";

/** Whole lines, with their line ends. The bytes are valid until the next chunk is read. */
export interface Chunk {
  bytes: Buffer;
  /** Where it begins in the file. */
  offset: number;
}

/** A line that is not finished, or is longer than a chunk, is left out. */
export function* chunksFromEnd(path: string, chunkBytes: number): Generator<Chunk> {
  const fd = guard(path, () => openRegular(path, constants.O_RDONLY));
  if (fd === null) return;
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (let end = fstatSync(fd).size; end > 0; ) {
      const start = Math.max(0, end - buffer.length);
      const bytes = buffer.subarray(0, readSync(fd, buffer, 0, end - start, start));
      const first = start === 0 ? 0 : bytes.indexOf(lineFeed) + 1;
      const last = bytes.lastIndexOf(lineFeed) + 1;
      if (first < last) yield { bytes: bytes.subarray(first, last), offset: start + first };
      end = first > 0 && first < bytes.length ? start + first : start;
    }
  } finally {
    closeSync(fd);
  }
}

const lineFeed = 0x0a;
