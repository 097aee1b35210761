// The worker of a config folder: the one process that delivers messages, saves teams and restarts crashed agents.
// `watch`, and every other face that stays open, asks for this post and looks on while another process has it.
//
// [WO1] At most one process of a config folder has the post.
// [WO2] A process that looks on takes the post within 5 seconds of the worker's end, also if the worker was killed.

import { HiveError } from "../base/errors.js";
import { acquireLock, holderName, isHeld, type Lock, LockedError, readLock } from "../base/files/lock.js";
import { limits } from "../limits.js";
import { storeError } from "../stores/file/error.js";

export interface Post {
  /** Takes the post if it is free. Resolves to whether this process has it. */
  take(): Promise<boolean>;
  /** The worker, for messages. */
  holder(): string;
  /** Rests as `rest` does, but no longer than until the post is free. `rest` ends early if its signal is aborted. */
  whileTaken(rest: (signal: AbortSignal) => Promise<unknown>, interrupted: AbortSignal): Promise<void>;
  leave(): void;
}

export function openPost(lockPath: string): Post {
  let lock: Lock | null = null;
  return {
    async take() {
      if (lock !== null) return true;
      try {
        lock = await acquireLock(lockPath, { waitMs: 0 });
      } catch (error) {
        if (!(error instanceof LockedError)) throw storeError(lockPath, error);
      }
      return lock !== null;
    },
    holder: () => holderName(readLock(lockPath)?.holder ?? null),
    async whileTaken(rest, interrupted) {
      const end = new AbortController();
      const stop = () => end.abort();
      const timer = setInterval(() => {
        if (!isHeld(lockPath)) stop();
      }, limits.workerPollMs);
      interrupted.addEventListener("abort", stop);
      try {
        if (!interrupted.aborted) await rest(end.signal);
      } finally {
        clearInterval(timer);
        interrupted.removeEventListener("abort", stop);
      }
    },
    leave() {
      lock?.release();
      lock = null;
    },
  };
}

/** For work that does not wait for its turn: refused if another process has the post. */
export async function atPost<T>(lockPath: string, work: () => Promise<T>): Promise<T> {
  const post = openPost(lockPath);
  if (!(await post.take()))
    throw new HiveError(`a watcher runs already: ${post.holder()}`, {
      hint: "stop it: hivemind watch --stop",
    });
  try {
    return await work();
  } finally {
    post.leave();
  }
}
