import { expect, test } from "vitest";
import { openLookCost } from "./look-cost.js";

/** Looks of [duration, processor time]; returns their costs. */
function costs(...looks: [number, number][]): number[] {
  let [nowMs, processorMs] = [0, 0];
  const cost = openLookCost(
    () => nowMs,
    () => processorMs,
  );
  return looks.map(([tookMs, workedMs]) => {
    cost.begin();
    nowMs += tookMs;
    processorMs += workedMs;
    return cost.end();
  });
}

test.each<[string, [number, number][], number[]]>([
  [
    "a quiet machine: the duration",
    [
      [100, 80],
      [100, 80],
    ],
    [0, 100],
  ],
  [
    "a busy machine: what it really worked",
    [
      [3_000, 50],
      [3_000, 50],
    ],
    [0, 100],
  ],
  [
    "a tmux that hangs",
    [
      [3_000, 2],
      [3_000, 2],
    ],
    [0, 4],
  ],
  [
    "a first look that loads code",
    [
      [900, 900],
      [40, 40],
      [40, 40],
    ],
    [0, 40, 40],
  ],
  [
    "one slow look among fast ones",
    [
      [40, 40],
      [40, 40],
      [900, 900],
      [40, 40],
    ],
    [0, 40, 40, 40],
  ],
])("%s", (_, looks, expected) => expect(costs(...looks)).toEqual(expected));
