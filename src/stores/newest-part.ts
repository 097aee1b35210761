// How much of a log that nobody rotates can be read in bounded time, counted from its end.
//
// [NP1] A log is read whole as long as that is quick: also one of a million rows that say a few thousand things. Of any
//       other the newest part is read, from the beginning of a line.

import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { openRegular } from "../base/atomic-file.js";
import { limits } from "../limits.js";

/** What a line says. One that says something new passes its gates, any other is only met; null is passed over. */
export type Says = (piece: Buffer, from: number, end: number) => string | null;

/** The offset from which the log is read; 0 for all of it. */
export function newestPart(path: string, says: Says): number {
  const fd = openRegular(path, constants.O_RDONLY);
  if (fd === null) return 0;
  try {
    const { size } = fstatSync(fd);
    if (size <= limits.forkQuickBytes) return 0;
    const buffer = Buffer.allocUnsafe(limits.forkChunkBytes);
    const met = new Set<string>();
    let work = 0;
    for (let end = size; end > 0; ) {
      const start = Math.max(0, end - buffer.length);
      const piece = buffer.subarray(0, readSync(fd, buffer, 0, end - start, start));
      const first = start === 0 ? 0 : piece.indexOf(lineFeed) + 1;
      for (let from = first; from < piece.length; ) {
        const found = piece.indexOf(lineFeed, from);
        const lineEnd = found < 0 ? piece.length : found;
        const text = says(piece, from, lineEnd);
        work += text === null || met.has(text) ? 1 : limits.forkNewWork;
        if (text !== null) met.add(text);
        from = lineEnd + 1;
      }
      // The piece that is too much is left out whole.
      if (work > limits.forkWork) return end;
      // Of a line that is longer than a piece nothing is read.
      end = first > 0 && first < piece.length ? start + first : start;
    }
    return 0;
  } finally {
    closeSync(fd);
  }
}

const lineFeed = 0x0a;
