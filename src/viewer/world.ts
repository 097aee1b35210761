// What the viewer needs from outside, handed in by the façade.

import { withLock } from "../base/lock.js";
import { limits } from "../limits.js";
import type { ProcessReader } from "../processes/process.js";
import type { Screen } from "../screen/screen.js";
import { viewerLockPath } from "../stores/folder.js";
import type { Stores } from "../stores/stores.js";
import type { Tmux } from "../tmux/tmux.js";

/** One at a time changes the viewer: two who set it up at once would make two of it. */
export async function whileAlone<T>({ stores }: ViewerWorld, work: () => Promise<T>): Promise<T> {
  return withLock(viewerLockPath(stores.paths, "changed"), work, { waitMs: limits.viewerLockMs });
}

/** screen mixes up the answers of two who ask at once, or answers neither. */
export async function whileAsking<T>({ stores }: ViewerWorld, work: () => Promise<T>): Promise<T> {
  return withLock(viewerLockPath(stores.paths, "asked"), work, { waitMs: limits.screenTimeoutMs });
}

export interface ViewerWorld {
  tmux: Tmux;
  screen: Screen;
  stores: Stores;
  processes: Pick<ProcessReader, "findProcess" | "readProcessVariable">;
}
