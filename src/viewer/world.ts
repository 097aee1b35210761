// What the viewer needs from outside, handed in by the façade.
//
// [VW1] A lock that cannot be made is the trouble of its folder, and said as that.

import { acquireLock, LockedError } from "../base/lock.js";
import { limits } from "../limits.js";
import type { ProcessReader } from "../processes/process.js";
import type { Screen } from "../screen/screen.js";
import { storeError } from "../stores/error.js";
import { viewerLockPath } from "../stores/folder.js";
import type { Stores } from "../stores/stores.js";
import type { Tmux } from "../tmux/tmux.js";

/** One at a time changes the viewer: two who set it up at once would make two of it. */
export async function whileAlone<T>({ stores }: ViewerWorld, work: () => Promise<T>): Promise<T> {
  return whileHeld(viewerLockPath(stores.paths, "changed"), limits.viewerLockMs, work);
}

/** screen mixes up the answers of two who ask at once, or answers neither. */
export async function whileAsking<T>({ stores }: ViewerWorld, work: () => Promise<T>): Promise<T> {
  return whileHeld(viewerLockPath(stores.paths, "asked"), limits.screenTimeoutMs, work);
}

export interface ViewerWorld {
  tmux: Tmux;
  screen: Screen;
  stores: Stores;
  processes: Pick<ProcessReader, "findProcess" | "readProcessVariable">;
}

async function whileHeld<T>(path: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const lock = await acquireLock(path, { waitMs }).catch((error: unknown) => {
    throw error instanceof LockedError ? error : storeError(path, error);
  });
  try {
    return await work();
  } finally {
    lock.release();
  }
}
