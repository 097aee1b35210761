// Reads a file in chunks of whole lines.

import { closeSync, constants, readSync } from "node:fs";
import { openRegular } from "../../base/files/atomic-file.js";
import { guard } from "./error.js";

/**
 * Complete lines, as many as fit. For a line that does not fit, its beginning, marked so that it is not a row. The
 * bytes are valid until the next chunk is read.
 */
export function* wholeLines(path: string, from: number, chunkBytes: number): Generator<Buffer> {
  const fd = guard(path, () => openRegular(path, constants.O_RDONLY));
  if (fd === null) return;
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    let kept = 0;
    let isInsideGiant = false;
    let place = from;
    for (let got = -1; got !== 0; ) {
      got = readSync(fd, buffer, kept, buffer.length - kept, place);
      place += got;
      const filled = kept + got;
      const start = isInsideGiant ? buffer.subarray(0, filled).indexOf(0x0a) + 1 : 0;
      const end = buffer.subarray(0, filled).lastIndexOf(0x0a) + 1;
      if (end > start) yield buffer.subarray(start, end);
      if (end > 0) isInsideGiant = false;
      kept = filled - end;
      buffer.copyWithin(0, end, filled);
      if (kept < buffer.length && !isInsideGiant) continue;
      if (!isInsideGiant) yield Buffer.concat([buffer.subarray(0, 64), Buffer.from("\u0018\n")]);
      isInsideGiant = true;
      kept = 0;
    }
  } finally {
    closeSync(fd);
  }
}
