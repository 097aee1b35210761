// Appends records to a session's file. The caller holds the session.
//
// - The records of one call are added in one write, whole or not at all, after whatever is there.
// - A torn last line is copied to a file beside the session, then cut off. Nothing is lost, and the client, which
//   refuses a file with a broken line, can read the session again.
// - A last line that only lacks its line end gets one.
// - A file that is gone is not created again.

import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, readSync } from "node:fs";
import { HiveError } from "../../base/errors.js";
import { appendLines, createFile, openRegular } from "../../base/files/atomic-file.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { limits } from "../../limits.js";
import { parseRecord } from "./contents.js";

/** The path of the torn line's copy, or null. `lines` include their line ends. */
export function appendRecords(path: string, lines: string): string | null {
  const fd = openRegular(path, constants.O_RDWR);
  if (fd === null) throw new HiveError(`${harmless(path)} is gone`, { hint: "hivemind sessions" });
  let copy: string | null = null;
  try {
    const { size } = fstatSync(fd);
    const tail = unfinishedLine(fd, size);
    if (tail.length > 0 && parseRecord(tail) === null) {
      copy = saveTornLine(path, tail);
      // Other hivemind processes keep to the lock. A client that does not may be in the middle of this line.
      if (fstatSync(fd).size !== size) throw beingWritten(path);
      ftruncateSync(fd, size - tail.length);
      fsyncSync(fd);
    }
  } finally {
    closeSync(fd);
  }
  appendLines(path, lines);
  return copy;
}

function beingWritten(path: string): HiveError {
  return new HiveError(`${harmless(path)} is being written by another program`, {
    hint: "try again in a moment",
  });
}

function saveTornLine(path: string, bytes: Buffer): string {
  for (let n = Date.now(); ; n++) {
    const copy = `${path}.torn-${n}`;
    if (createFile(copy, bytes)) return copy;
  }
}

/** The bytes after the last line end. */
function unfinishedLine(fd: number, size: number): Buffer {
  let tail = Buffer.alloc(0);
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - limits.transcriptBlockBytes);
    const block = Buffer.alloc(end - from);
    readSync(fd, block, 0, block.length, from);
    tail = Buffer.concat([block, tail]);
    const cut = tail.lastIndexOf(0x0a);
    if (cut !== -1) return tail.subarray(cut + 1);
    end = from;
  }
  return tail;
}
