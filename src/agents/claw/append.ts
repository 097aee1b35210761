// Records at the end of a session's file. The caller holds the session.
//
// [CWW1] The records of one call are written in one write, whole or not at all, behind whatever stands there.
// [CWW2] A torn last line is set aside beside the file, then cut off: nothing is lost, and the client, which refuses a
//        file with a broken line in it, can read the session again. A last line that only lacks its end gets one.
// [CWW3] A file that is gone is not made anew.

import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, readSync } from "node:fs";
import { appendLines, createFile, openRegular } from "../../base/atomic-file.js";
import { HiveError } from "../../base/errors.js";
import { harmless } from "../../base/harmless.js";
import { limits } from "../../limits.js";
import { parseRecord } from "./contents.js";

/** The path of what was set aside, or null. `lines` have their line ends. */
export function appendRecords(path: string, lines: string): string | null {
  const fd = openRegular(path, constants.O_RDWR);
  if (fd === null) throw new HiveError(`${harmless(path)} is gone`, { hint: "hivemind sessions" });
  let aside: string | null = null;
  try {
    const { size } = fstatSync(fd);
    const tail = unfinishedLine(fd, size);
    if (tail.length > 0 && parseRecord(tail) === null) {
      aside = setAside(path, tail);
      // Others keep to the lock. A client that does not may be in the middle of that very line.
      if (fstatSync(fd).size !== size) throw beingWritten(path);
      ftruncateSync(fd, size - tail.length);
      fsyncSync(fd);
    }
  } finally {
    closeSync(fd);
  }
  appendLines(path, lines);
  return aside;
}

function beingWritten(path: string): HiveError {
  return new HiveError(`${harmless(path)} is being written by another program`, {
    hint: "try again in a moment",
  });
}

function setAside(path: string, bytes: Buffer): string {
  for (let n = Date.now(); ; n++) {
    const aside = `${path}.torn-${n}`;
    if (createFile(aside, bytes)) return aside;
  }
}

/** What stands behind the last line end. */
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
