// Errors about a store as a whole. A bad row is not an error but a Problem: reported, and kept in the file.

import { errorCode, exitCodes, HiveError } from "../../base/errors.js";
import { FileRefused, FileTooLarge } from "../../base/files/atomic-file.js";
import { LockedError } from "../../base/files/lock.js";
import { harmless } from "../../base/text/escape-terminal.js";

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

/** A row that could not be read. It stays in its file and is reported once per run. */
export interface Problem {
  path: string;
  /** Counted from 1. */
  line: number;
  why: string;
}

export type Report = (problem: Problem) => void;

/** Runs a file operation of a store and turns its errors into store errors. */
export function guard<T>(path: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    throw storeError(path, error);
  }
}

/** Errors that come neither from the disk nor from a lock are returned unchanged. */
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

const tooLarge = "hivemind never writes that much: look at the file and remove foreign content";

const hints: Record<StoreReason, string> = {
  locked: "try again in a moment",
  unreadable: "check that path: it must be a regular file that you can read and write",
  corrupt: "look at the file; nothing was changed",
  newer: "it was written by a newer hivemind: update this one",
  full: "free space on that disk; the existing files are unchanged",
};
