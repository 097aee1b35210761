// The watch loop with a clock of its own: every rest is over at once.

import { limits } from "../../src/limits.js";
import type { Fact } from "../../src/watch/fact.js";
import { runLoop } from "../../src/watch/loop.js";
import { openTurns } from "../../src/watch/turn.js";
import { openWake } from "../../src/watch/wake.js";
import type { Post } from "../../src/watch/worker.js";
import type { Stage } from "./made.js";

export const wishes = { isReconciling: false };
export const tickMs = limits.watchTickSeconds * 1000;

export function becomes({ agents }: Stage, at: number, activity: string, cwd = "/a"): void {
  const live = { ...agents[at]!.live, activity, waitingFor: null };
  agents[at] = { ...agents[at]!, cwd, live } as Stage["agents"][number];
}

const alone: Post = {
  take: async () => true,
  holder: () => "nobody",
  whileTaken: async (rest, interrupted) => void (await rest(interrupted)),
  leave: () => {},
};

export async function ticks(
  stage: Stage,
  count: number,
  each: (tick: number) => void = () => {},
): Promise<Fact[]> {
  let nowMs = 0;
  let tick = 0;
  const told: Fact[] = [];
  const stop = new AbortController();
  const wake = openWake((why) => told.push({ kind: "trouble", text: why }));
  await runLoop(
    openTurns(stage.world, wishes, () => nowMs),
    {
      ...wake,
      async next(_restMs, untilTickMs) {
        nowMs += untilTickMs;
        tick += 1;
        each(tick);
        if (tick === count) stop.abort();
        return "tick";
      },
    },
    {
      ...{ tickMs, post: alone, onPost: () => {}, isStill: stage.world.isStill },
      ...{ tell: (facts) => void told.push(...facts), interrupted: stop.signal },
    },
  );
  wake.close();
  return told;
}
