// Holds a session for one append, or for the time of a conversation.
//
// Two processes never write to one session: the second is refused, and the error names the first. The lock of a
// killed process is free at once.

import { HiveError } from "../../base/errors.js";
import { acquireLock, holderName, type Lock, LockedError } from "../../base/files/lock.js";
import { limits } from "../../limits.js";
import type { ManagedId } from "../../names/managed-id.js";

/** The file must exist: otherwise the lock would create its folder. */
export async function holdSession(path: string, id: ManagedId): Promise<Lock> {
  try {
    return await acquireLock(`${path}.lock`, { waitMs: limits.managedHeldMs });
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    const { holder, hint } = error;
    throw new HiveError(`session ${id} is in use by ${holderName(holder)}`, {
      hint: `end it, or work in a copy: hivemind sessions fork ${id}${holder === null ? ` (${hint})` : ""}`,
      cause: error,
    });
  }
}

export async function whileHolding<T>(path: string, id: ManagedId, work: () => T | Promise<T>): Promise<T> {
  const lock = await holdSession(path, id);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
