// The loop: one turn, report its facts, rest; until it is interrupted or its end has come.
//
// - A config folder has one loop. A second one is refused with the process id of the first.
// - The loop rests many times as long as its look took: a fleet of any size costs a small share of a core.
// - The loop finishes the step that it is in, then removes its lock.

import { HiveError } from "../base/errors.js";
import { acquireLock, holderName, LockedError } from "../base/files/lock.js";
import { limits } from "../limits.js";
import { storeError } from "../stores/file/error.js";
import type { Fact } from "./fact.js";
import type { Turn } from "./turn.js";
import type { Wake } from "./wake.js";

export interface LoopOptions {
  tickMs: number;
  tell(facts: readonly Fact[]): void;
  interrupted: AbortSignal;
  /** Whether the loop ends after this turn. */
  isOver?(turn: Turn): boolean;
}

export async function runLoop(
  turn: () => Promise<Turn>,
  wake: Wake,
  { tickMs, tell, interrupted, isOver }: LoopOptions,
): Promise<void> {
  while (!interrupted.aborted) {
    const done = await turn();
    const { facts, lookMs, folders } = done;
    tell(facts);
    if (isOver?.(done)) return;
    if (folders !== null) wake.follow(folders);
    const { restMs, untilTickMs } = restAfter(lookMs, tickMs);
    await wake.next(restMs, untilTickMs, interrupted);
  }
}

export function restAfter(lookMs: number, tickMs: number): { restMs: number; untilTickMs: number } {
  const capped = (ms: number) => Math.min(ms, limits.watchRestCapMs);
  return {
    restMs: Math.max(limits.watchGapMs, capped(lookMs * limits.watchRestAfterChange)),
    untilTickMs: Math.max(tickMs, capped(lookMs * limits.watchRestAfterTick)),
  };
}

export async function whileWatching<T>(lockPath: string, work: () => Promise<T>): Promise<T> {
  const lock = await acquireLock(lockPath, { waitMs: 0 }).catch((error: unknown) => {
    if (!(error instanceof LockedError)) throw storeError(lockPath, error);
    throw new HiveError(`a watcher runs already: ${holderName(error.holder)}`, {
      hint: "stop it: hivemind watch --stop",
    });
  });
  try {
    return await work();
  } finally {
    lock.release();
  }
}
