// What can be wrong with a store as a whole. A bad row is no error: it is a Problem, reported and kept.

import { FileRefused, FileTooLarge } from "../base/atomic-file.js";
import { errorCode, exitCodes, HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { LockedError } from "../base/lock.js";

export type StoreReason = "locked" | "unreadable" | "corrupt" | "newer" | "full";

export class StoreError extends HiveError {
  override name = "StoreError";

  constructor(
    readonly reason: StoreReason,
    readonly path: string,
    why: string,
    facts: { hint?: string; cause?: unknown } = {},
  ) {
    const exitCode = reason === "unreadable" ? exitCodes.couldNotLook : exitCodes.refused;
    super(`${harmless(path)}: ${why}`, { hint: hints[reason], exitCode, ...facts });
  }
}

/** A row that could not be read. The file keeps it; the run says it once. */
export interface Problem {
  path: string;
  /** Counted from 1. */
  line: number;
  why: string;
}

export type Report = (problem: Problem) => void;

/** Runs something on a store's file, and says what went wrong with it in the store's own words. */
export function guard<T>(path: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    throw storeError(path, error);
  }
}

/** What is neither the disk's nor the lock's fault is passed on as it is. */
export function storeError(path: string, error: unknown): unknown {
  const facts = { cause: error };
  if (error instanceof LockedError) {
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    return new StoreError("locked", path, error.message, { ...facts, ...hint });
  }
  if (error instanceof FileTooLarge)
    return new StoreError("unreadable", path, `refused: ${error.message}`, { ...facts, hint: tooLarge });
  if (error instanceof FileRefused)
    return new StoreError("unreadable", path, `refused: ${error.message}`, facts);
  const code = errorCode(error);
  if (code === undefined || !(error instanceof Error) || !("syscall" in error || code === "ENOSPC"))
    return error;
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG")
    return new StoreError("full", path, "no space left", facts);
  return new StoreError("unreadable", path, error.message, facts);
}

const tooLarge = "hivemind never writes that much: look at that file, and take out what is not its own";

const hints: Record<StoreReason, string> = {
  locked: "try again in a moment",
  unreadable: "look at that path: it must be a regular file that you may read and write",
  corrupt: "look at that file; nothing was changed",
  newer: "it was written by a newer hivemind: update this one",
  full: "make room on that disk; what was there before is unchanged",
};
