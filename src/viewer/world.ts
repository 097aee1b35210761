// What the viewer needs from outside. The façade provides it.
//
// If a lock cannot be made, the error names its folder.

import type { ProcessReader } from "../base/system/process.js";
import { limits } from "../limits.js";
import type { Screen } from "../screen/screen.js";
import { viewerLockPath } from "../stores/file/folder.js";
import { whileHeld } from "../stores/file/store-file.js";
import type { Stores } from "../stores/stores.js";
import type { Tmux } from "../tmux/tmux.js";

/** Only one process changes the viewer at a time: two set-ups at once would make two viewers. */
export async function whileAlone<T>({ stores }: ViewerWorld, work: () => Promise<T>): Promise<T> {
  const path = viewerLockPath(stores.paths, "changed");
  return whileHeld(path, work, limits.viewerLockMs, path);
}

/** Only one process asks screen at a time: it mixes up the answers of two, or answers neither. */
export async function whileAsking<T>({ stores }: ViewerWorld, work: () => Promise<T>): Promise<T> {
  const path = viewerLockPath(stores.paths, "asked");
  return whileHeld(path, work, limits.screenTimeoutMs, path);
}

export interface ViewerWorld {
  tmux: Tmux;
  screen: Screen;
  stores: Stores;
  processes: Pick<ProcessReader, "findProcess" | "forOneLook">;
}
