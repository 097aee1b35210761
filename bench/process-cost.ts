// What running processes cost: CPU seconds and resident memory, from /proc.

import { readFileSync } from "node:fs";

export interface Cost {
  /** Of one core. */
  percent: number;
  /** The most that was resident in any second. */
  megabytes: number;
}

/** What the named processes cost while the work runs. */
export async function costsDuring<Name extends string>(
  pids: Readonly<Record<Name, number>>,
  work: () => Promise<void>,
): Promise<Record<Name, Cost> & { seconds: number }> {
  const names = Object.keys(pids) as Name[];
  const before = names.map((name) => cpuSeconds(pids[name]));
  const most = names.map(() => 0);
  const sample = () => {
    for (const [at, name] of names.entries()) most[at] = Math.max(most[at]!, residentMegabytes(pids[name]));
  };
  const timer = setInterval(sample, 1000);
  const beganMs = performance.now();
  await work().finally(() => clearInterval(timer));
  sample();
  const seconds = (performance.now() - beganMs) / 1000;
  const costs = names.map((name, at): [Name, Cost] => {
    const percent = (100 * (cpuSeconds(pids[name]) - before[at]!)) / seconds;
    return [name, { percent, megabytes: most[at]! }];
  });
  return { ...(Object.fromEntries(costs) as Record<Name, Cost>), seconds };
}

/** With its ended children. The kernel counts in hundredths of a second. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

export function residentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
}
