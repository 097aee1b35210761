// Reads and changes the file of a store: bounded in size, one writer at a time, with store errors.
//
// Stores are small text files. A file with too many bytes or lines is refused before any row is parsed, because
// parsing it would stall every command. Nothing is written then.

import { basename, dirname } from "node:path";
import { FileTooLarge, readBytes, refuseLinkedFolder, sweepTemporary } from "../../base/files/atomic-file.js";
import { acquireLock, LockedError, withLock } from "../../base/files/lock.js";
import { namesIn } from "../../base/files/names-in.js";
import { limits } from "../../limits.js";
import { guard, storeError } from "./error.js";

/** Null if the file does not exist. */
export function readStore(path: string, maxBytes: number = limits.storeBytes): Buffer | null {
  return guard(path, () => {
    const bytes = readBytes(path, maxBytes);
    if (bytes !== null) refuseManyLines(bytes);
    return bytes;
  });
}

export function refuseManyLines(bytes: Buffer): void {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
    if (++lines > limits.storeLines) throw new FileTooLarge(`it has more than ${limits.storeLines} lines`);
  }
}

/** The names in a folder of ours; none if it does not exist. */
export function namesInStore(folder: string): string[] {
  return guard(folder, () => {
    refuseLinkedFolder(folder);
    return namesIn(folder);
  });
}

export function lockOf(path: string): string {
  return `${path}.lock`;
}

/** Runs `work` under the file's lock. `afterDeath` cleans up after a writer that was killed. */
export async function whileLocked<T>(
  path: string,
  work: () => T | Promise<T>,
  afterDeath = () => sweepTemporary(dirname(path), basename(path)),
): Promise<T> {
  try {
    return await withLock(lockOf(path), work, { afterDeath });
  } catch (error) {
    throw storeError(path, error);
  }
}

/** For long work. A `LockedError` names the holder; other failures are store errors. */
export async function whileHeld<T>(
  path: string,
  work: () => Promise<T>,
  waitMs?: number,
  lockPath = lockOf(path),
): Promise<T> {
  const lock = await acquireLock(lockPath, { waitMs }).catch((error: unknown) => {
    throw error instanceof LockedError ? error : storeError(path, error);
  });
  try {
    return await work();
  } finally {
    lock.release();
  }
}
