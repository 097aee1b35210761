// The lock of a team, held while a command changes it.

import { HiveError } from "../../base/errors.js";
import { acquireLock, holderName, type Lock, LockedError } from "../../base/files/lock.js";
import type { TeamName } from "../../names/gates.js";
import { storeError } from "./error.js";
import { type StorePaths, teamLockPath } from "./folder.js";

/** If the lock is not free within `waitMs`, the error names the holder. */
export async function lockTeam(paths: StorePaths, team: TeamName, waitMs: number): Promise<Lock> {
  const path = teamLockPath(paths, team);
  try {
    return await acquireLock(path, { waitMs });
  } catch (error) {
    if (!(error instanceof LockedError)) throw storeError(path, error);
    throw new HiveError(`${team} is being changed by ${holderName(error.holder)}`, {
      hint: error.hint ?? "try again in a moment",
    });
  }
}
