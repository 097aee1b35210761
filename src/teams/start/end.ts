// Ends the agent of a pane and keeps the pane, with its last output.

import { setTimeout as rest } from "node:timers/promises";
import { errorCode, HiveError } from "../../base/errors.js";
import type { FleetPane } from "../../fleet/panes.js";
import { limits } from "../../limits.js";
import { findProcess } from "../../processes/processes.js";
import { keepEnded } from "../../tmux/program.js";
import type { TeamWorld } from "../world.js";

/**
 * Sends SIGTERM, then SIGKILL if it does not end. Resolves when the process is gone and holds the session no more.
 */
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
    if (isThere()) signalProcess(pid, signal);
    const end = performance.now() + limits.endMs;
    while (isThere() && performance.now() < end) {
      world.progress(`waiting for ${pane.address} to end`);
      await rest(limits.startPollMs);
    }
  }
  world.progress(null);
  if (isThere()) throw new HiveError(`process ${pid} in ${pane.address} does not end`);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error;
  }
}
