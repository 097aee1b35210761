// Stores are small text files. One that something else filled is refused at once: parsing it would stall every command.
//
// [BND1] A store of too many bytes or lines is refused before a row of it is parsed, and nothing is written.

import { FileTooLarge, readBytes } from "../base/atomic-file.js";
import { limits } from "../limits.js";

/** Null when there is no such file. */
export function readStore(path: string, maxBytes: number = limits.storeBytes): Buffer | null {
  const bytes = readBytes(path, maxBytes);
  if (bytes !== null) refuseManyLines(bytes);
  return bytes;
}

export function refuseManyLines(bytes: Buffer): void {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
    if (++lines > limits.storeLines) throw new FileTooLarge(`it has more than ${limits.storeLines} lines`);
  }
}
