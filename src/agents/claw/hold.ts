// Who works in a session holds it: for one append, or for as long as a conversation goes on.
//
// [CWH1] Two processes never write to one session: the second is refused, naming the first.
// [CWH2] What a killed process held is free at once.

import { HiveError } from "../../base/errors.js";
import { acquireLock, holderName, type Lock, LockedError } from "../../base/lock.js";
import { limits } from "../../limits.js";
import type { ManagedId } from "../../names/managed-id.js";

/** The file is there: a lock would make its folder otherwise. */
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
