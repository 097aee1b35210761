// When a report was written, by the clock as it is now. Pure but for the look at the machine's own clocks.
//
// [RTM1] A clock that was set since moves no report: where the handler noted how long the machine had been up, that
//        tells its age. The start of a process is counted from the boot too, so the two stay comparable.
// [RTM2] Without such a note, or with one of another boot, the file's time is believed, unless it has not come yet.

import { uptime } from "node:os";
import { ownIdentity } from "../base/process-identity.js";

/** As the handler wrote it down: seconds since that boot. Empty where it could not tell. */
export interface UptimeNote {
  boot: string;
  up: string;
}

export interface MachineTime {
  clockMs: number;
  upMs: number;
  /** Asked only of a report that names its own: elsewhere than on Linux the answer costs two programs. */
  boot(): string;
}

export function machineTime(): MachineTime {
  return { clockMs: Date.now(), upMs: uptime() * 1000, boot: () => ownIdentity().boot };
}

/** Null for a time that has not come yet. */
export function reportTime(fileAtMs: number, { boot, up }: UptimeNote, now: MachineTime): number | null {
  const isOfThisBoot = boot !== "" && /^\d+(\.\d+)?$/.test(up) && boot === now.boot();
  const byUptimeMs = now.clockMs - now.upMs + Number(up) * 1000;
  const isMoved = isOfThisBoot && Math.abs(byUptimeMs - fileAtMs) > slackMs;
  const atMs = isMoved ? byUptimeMs : fileAtMs;
  return isAhead(atMs, now.clockMs) ? null : atMs;
}

export function isAhead(atMs: number, nowMs: number): boolean {
  return atMs > nowMs + slackMs;
}

/** The handler notes the uptime a moment before the file is there. */
const slackMs = 2_000;
