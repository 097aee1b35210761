// The loop: turn, tell, rest, until somebody ends it.
//
// [WL1] One loop for a config folder: a second is refused, and told who holds it.
// [WL2] It rests for many times as long as its look took, so that a fleet of any size costs a small share of a core.
// [WL3] It ends whole: the step it is in is finished, and its lock is gone.

import { HiveError } from "../base/errors.js";
import { acquireLock, holderName, LockedError } from "../base/lock.js";
import { limits } from "../limits.js";
import { storeError } from "../stores/error.js";
import type { Fact } from "./fact.js";
import type { Turn } from "./turn.js";
import type { Wake } from "./wake.js";

export interface LoopOptions {
  tickMs: number;
  tell(facts: readonly Fact[]): void;
  interrupted: AbortSignal;
}

export async function runLoop(
  turn: () => Promise<Turn>,
  wake: Wake,
  { tickMs, tell, interrupted }: LoopOptions,
): Promise<void> {
  while (!interrupted.aborted) {
    const { facts, lookMs, folders } = await turn();
    tell(facts);
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
    throw new HiveError(`these stores are watched already, by ${holderName(error.holder)}`, {
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    });
  });
  try {
    return await work();
  } finally {
    lock.release();
  }
}
