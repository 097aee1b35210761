// What whole commands use: the time that a person waits, processor time, and memory.

import { spawnSync } from "node:child_process";

export interface Timed {
  program: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

export interface Used {
  wallMs: number;
  /** User and system, of the command and its children. */
  cpuMs: number;
  residentMb: number;
}

/** bash tells processor time in milliseconds, GNU time the memory. Throws if the exit code is none of these. */
export function used(
  { program, args, env, cwd = process.cwd() }: Timed,
  codes: readonly number[] = [0],
): Used {
  const from = performance.now();
  const timed = `TIMEFORMAT='%3U %3S'; time /usr/bin/time -q -f '\n%M' "$@" > /dev/null; exit $?`;
  const { stderr, error, status } = spawnSync("bash", ["-c", timed, "bash", program, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    env: env ?? process.env,
    cwd,
    maxBuffer: 1 << 26,
  });
  const wallMs = performance.now() - from;
  if (error !== undefined) throw error;
  const printed = stderr.toString().trim().split("\n");
  if (status === null || !codes.includes(status))
    throw new Error(`${program} ${args.slice(0, 6).join(" ")}: exit code ${status}: ${printed.join("\n")}`);
  const [resident, times] = printed.slice(-2);
  const [user, system] = times!.split(" ").map(Number);
  return { wallMs, cpuMs: (user! + system!) * 1000, residentMb: Number(resident) / 1024 };
}

/** In turns, so that a slow moment of the machine affects all of them. */
export function usedInTurns(commands: readonly Timed[], rounds: number): Used[][] {
  const figures = commands.map((): Used[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, each] of commands.entries()) figures[at]!.push(used(each));
  }
  return figures;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

export function medianOf(figures: readonly Used[], what: keyof Used): number {
  return median(figures.map((each) => each[what]));
}

/** Medians in milliseconds of programs that are too short for `used`: it starts a shell around each. */
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
  return times.map(median);
}
