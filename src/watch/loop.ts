// The loop: one turn, report its facts, rest; until it is interrupted or its end has come.
//
// - A config folder has one loop that works. Another one looks on: it reports, and it takes over when the first ends.
// - While nothing is under way (calm.ts), the loop glances at tmux at each tick, and looks at every few of them.
// - The loop rests many times as long as its look cost (look-cost.ts): a small share of a core for any size of fleet.
// - The loop finishes the step that it is in, then leaves its post.

import { limits } from "../limits.js";
import type { Calm } from "./calm.js";
import type { Fact } from "./fact.js";
import type { Turn } from "./turn.js";
import type { Wake } from "./wake.js";
import type { Post } from "./worker.js";

export interface LoopOptions {
  tickMs: number;
  post: Post;
  /** Runs when this process begins to work, at first or after it has looked on, or to look on. */
  onPost(role: "works" | "takes over" | "looks on"): void;
  tell(facts: readonly Fact[]): void;
  /** Compares what tmux has now with the last look. */
  isStill(calm: Calm): Promise<boolean>;
  interrupted: AbortSignal;
  /** Whether the loop ends after this turn. */
  isOver?(turn: Turn): boolean | Promise<boolean>;
}

export async function runLoop(
  turn: (isWorking: boolean) => Promise<Turn>,
  wake: Wake,
  { tickMs, post, onPost, tell, isStill, interrupted, isOver }: LoopOptions,
): Promise<void> {
  let wasWorking: boolean | null = null;
  while (!interrupted.aborted) {
    const isWorking = await post.take();
    if (isWorking !== wasWorking)
      onPost(!isWorking ? "looks on" : wasWorking === null ? "works" : "takes over");
    wasWorking = isWorking;
    const done = await turn(isWorking);
    const { facts, lookMs, folders, calm } = done;
    tell(facts);
    if (await isOver?.(done)) return;
    if (folders !== null) wake.follow(folders);
    const { restMs, untilTickMs } = restAfter(lookMs, tickMs);
    const isEnough = async () => calm !== null && (await isStill(calm));
    const rest = async (signal: AbortSignal) => {
      // While nothing happens, most ticks are only a glance.
      for (let glances = 0; ; glances++) {
        const why = await wake.next(restMs, untilTickMs, signal);
        const isDue = why === "change" || signal.aborted || glances === limits.watchGlances;
        if (isDue || !(await isEnough())) return;
      }
    };
    await (isWorking ? rest(interrupted) : post.whileTaken(rest, interrupted));
  }
}

export function restAfter(lookMs: number, tickMs: number): { restMs: number; untilTickMs: number } {
  const capped = (ms: number) => Math.min(ms, limits.watchRestCapMs);
  return {
    restMs: Math.max(limits.watchGapMs, capped(lookMs * limits.watchRestAfterChange)),
    untilTickMs: Math.max(tickMs, capped(lookMs * limits.watchRestAfterTick)),
  };
}
