// What wakes the loop: a change in one of a few folders, or time.
//
// - No change is lost: one that comes while the loop works or rests wakes it for the next turn.
// - Changes that come together are one wake, never sooner than the requested rest.
// - A folder that cannot be watched is tried again at every turn; until then the tick wakes the loop.

import { limits } from "../limits.js";
import { openFolderWatch } from "./folder-watch.js";

export interface Wake {
  /** Watches these folders from now on. */
  follow(folders: readonly string[]): void;
  /** Resolves after a change, but not before `restMs`, or after `tickMs`; at once when interrupted. */
  next(restMs: number, tickMs: number, interrupted: AbortSignal): Promise<"change" | "tick">;
  /** Counts as a change. */
  poke(): void;
  close(): void;
}

/** `onTrouble` gets the reason once if a folder cannot be watched. */
export function openWake(onTrouble: (why: string) => void): Wake {
  let hasChanged = false;
  let notify = () => {};
  const folders = openFolderWatch(changed, onTrouble);

  function changed(): void {
    hasChanged = true;
    notify();
  }

  return {
    follow: folders.follow,
    async next(restMs, tickMs, interrupted) {
      await pause(restMs, interrupted);
      if (!hasChanged) await pause(tickMs - restMs, interrupted, (wakeUp) => (notify = wakeUp));
      notify = () => {};
      if (!hasChanged) return "tick";
      await pause(limits.watchSettleMs, interrupted);
      hasChanged = false;
      return "change";
    },
    poke: changed,
    close: folders.close,
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
