// What wakes the loop: a change in one of a few folders, or time.
//
// [WK1] A change is never lost: one that comes while the loop works, or rests, wakes it for the next turn.
// [WK2] Changes that come together are one wake, and none comes sooner than the rest that was asked for.
// [WK3] A folder that is not there yet, was replaced, or cannot be watched is tried again at every turn; until then
//       the tick is what wakes.
// [WK4] Locks of stores and files that are being written are no change: the loop's own would keep it awake.

import { type FSWatcher, statSync, watch as watchFolder } from "node:fs";
import { errorCode } from "../base/errors.js";
import { limits } from "../limits.js";

export interface Wake {
  /** Which folders count from now on. */
  follow(folders: readonly string[]): void;
  /** Resolves to what woke: a change, after `restMs` at the soonest, or `tickMs`. When interrupted at once. */
  next(restMs: number, tickMs: number, interrupted: AbortSignal): Promise<"change" | "tick">;
  close(): void;
}

/** `onTrouble` hears why a folder cannot be watched, once. */
export function openWake(onTrouble: (why: string) => void): Wake {
  const watched = new Map<string, { watcher: FSWatcher; inode: number }>();
  const troubled = new Set<string>();
  let hasChanged = false;
  let notify = () => {};

  function changed(name: string | null): void {
    if (name !== null && isPassing(name)) return;
    hasChanged = true;
    notify();
  }

  function drop(folder: string): void {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  }

  function trouble(folder: string, error: unknown): void {
    drop(folder);
    if (errorCode(error) === "ENOENT" || troubled.has(folder)) return;
    troubled.add(folder);
    onTrouble(`changes in ${folder} are only seen at the tick: ${errorCode(error) ?? String(error)}`);
  }

  function add(folder: string): void {
    const inode = inodeOf(folder);
    if (watched.has(folder) && watched.get(folder)!.inode !== inode) drop(folder);
    if (inode === null || watched.has(folder)) return;
    try {
      const watcher = watchFolder(folder, (_, name) => changed(name));
      watcher.on("error", (error) => trouble(folder, error));
      watched.set(folder, { watcher, inode });
    } catch (error) {
      trouble(folder, error);
    }
  }

  return {
    follow(folders) {
      for (const folder of watched.keys()) if (!folders.includes(folder)) drop(folder);
      for (const folder of folders) add(folder);
    },
    async next(restMs, tickMs, interrupted) {
      await pause(restMs, interrupted);
      if (!hasChanged) await pause(tickMs - restMs, interrupted, (wakeUp) => (notify = wakeUp));
      notify = () => {};
      if (!hasChanged) return "tick";
      await pause(limits.watchSettleMs, interrupted);
      hasChanged = false;
      return "change";
    },
    close() {
      for (const folder of [...watched.keys()]) drop(folder);
    },
  };
}

/** By hand: signals joined by `AbortSignal.any` stay with the one that lives as long as the loop does. */
function pause(ms: number, interrupted: AbortSignal, whoCanEnd?: (end: () => void) => void): Promise<void> {
  if (ms <= 0 || interrupted.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    interrupted.addEventListener("abort", end);
    whoCanEnd?.(end);
    function end(): void {
      clearTimeout(timer);
      interrupted.removeEventListener("abort", end);
      resolve();
    }
  });
}

/** Hidden files are being written; the lock of a store comes and goes with every write. */
function isPassing(name: string): boolean {
  return name.startsWith(".") || /\.lock(?:\.~.*)?$/.test(name);
}

function inodeOf(folder: string): number | null {
  try {
    const seen = statSync(folder, { throwIfNoEntry: false });
    return seen?.isDirectory() ? seen.ino : null;
  } catch {
    return null;
  }
}
