// Ends the agent of a pane and keeps the pane: its last words, and its place, are still there.

import { setTimeout as rest } from "node:timers/promises";
import { errorCode, HiveError } from "../base/errors.js";
import type { FleetPane } from "../fleet/panes.js";
import { limits } from "../limits.js";
import { findProcess } from "../processes/processes.js";
import { keepEnded } from "../tmux/program.js";
import type { TeamWorld } from "./world.js";

/** Asked first, killed when it does not answer; resolves when its process is gone, and with it its hold on the session. */
export async function endAgent(world: Pick<TeamWorld, "tmux" | "progress">, pane: FleetPane): Promise<void> {
  if (pane.process === null) return;
  const { pid, startTicks, startedAtMs } = pane.process;
  const isThere = () => {
    const now = findProcess(pid);
    return (
      now !== null && (startTicks === null ? now.startedAtMs === startedAtMs : now.startTicks === startTicks)
    );
  };
  await keepEnded(world.tmux, pane.id);
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (isThere()) tell(pid, signal);
    const end = performance.now() + limits.endMs;
    while (isThere() && performance.now() < end) {
      world.progress(`waiting for ${pane.address} to end`);
      await rest(limits.startPollMs);
    }
  }
  world.progress(null);
  if (isThere()) throw new HiveError(`process ${pid} in ${pane.address} does not end`);
}

function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error;
  }
}
