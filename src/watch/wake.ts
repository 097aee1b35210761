// What wakes the loop: a change in one of a few folders, or time.
//
// - No change is lost: one that comes while the loop works or rests wakes it for the next turn.
// - Changes that come together are one wake, never sooner than the requested rest.
// - A folder that is missing, replaced or not watchable is tried again at every turn; until then the tick wakes the loop.
// - Locks, half-written files and the watcher's own log are no change: they would keep the loop awake.

import { type FSWatcher, statSync, watch as watchFolder } from "node:fs";
import { errorCode } from "../base/errors.js";
import { limits } from "../limits.js";

export interface Wake {
  /** Watches these folders from now on. */
  follow(folders: readonly string[]): void;
  /** Resolves after a change, but not before `restMs`, or after `tickMs`; at once when interrupted. */
  next(restMs: number, tickMs: number, interrupted: AbortSignal): Promise<"change" | "tick">;
  close(): void;
}

/** `onTrouble` gets the reason once if a folder cannot be watched. */
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
    onTrouble(
      `changes in ${folder} are noticed only every few seconds: ${errorCode(error) ?? String(error)}`,
    );
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

/** By hand: `AbortSignal.any` would leak a signal per wait for as long as the loop lives. */
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

/** Hidden files are half-written; a store's lock comes and goes with every write; the log is the watcher's own. */
function isPassing(name: string): boolean {
  return name.startsWith(".") || /\.lock(?:\.~.*)?$/.test(name) || /\.watch\.log(?:\.old)?$/.test(name);
}

function inodeOf(folder: string): number | null {
  try {
    const seen = statSync(folder, { throwIfNoEntry: false });
    return seen?.isDirectory() ? seen.ino : null;
  } catch {
    return null;
  }
}
