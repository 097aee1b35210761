// One measured ratio and its limit. Both sides of a ratio are measured in one run, because machines are noisy.

import { spawnSync } from "node:child_process";

export interface Bar {
  name: string;
  ratio: number;
  /** The maximum of the ratio; with `atLeast` the minimum. */
  bar: number;
  atLeast?: boolean;
  detail: string;
}

export function isMet({ ratio, bar, atLeast }: Bar): boolean {
  return atLeast ? ratio >= bar : ratio <= bar;
}

export interface Timed {
  program: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

/** Medians in milliseconds, measured in turns so that a slow moment of the machine affects all of them. */
export function medianTimes(commands: readonly Timed[], rounds: number): number[] {
  const times = commands.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, { program, args, env, cwd = process.cwd() }] of commands.entries()) {
      const before = performance.now();
      const { status, error } = spawnSync(program, args, { stdio: "ignore", env: env ?? process.env, cwd });
      if (error !== undefined || status === null) throw error ?? new Error(`${program} was killed`);
      times[at]!.push(performance.now() - before);
    }
  }
  return times.map((each) => each.sort((a, b) => a - b)[Math.floor(each.length / 2)]!);
}
