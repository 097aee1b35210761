// Ends the agent of a pane and keeps the pane, with its last output.

import { setTimeout as rest } from "node:timers/promises";
import type { Agent, EndStep } from "../../agents/agent.js";
import { agentOfKind } from "../../agents/all.js";
import { errorCode, HiveError } from "../../base/errors.js";
import type { ProcessInfo } from "../../base/system/process.js";
import { findProcess, readTrees } from "../../base/system/processes.js";
import type { FleetPane } from "../../fleet/panes.js";
import { limits } from "../../limits.js";
import { keepEnded } from "../../tmux/program.js";
import type { TeamWorld } from "../world.js";

/**
 * Sends SIGTERM, then SIGKILL if it does not end. Resolves when its processes are gone and hold the session no more.
 */
export async function endAgent(world: Pick<TeamWorld, "tmux" | "progress">, pane: FleetPane): Promise<void> {
  const { process } = pane;
  if (process === null) return;
  const agent = agentOfKind(pane.kind);
  const isAlone = agent?.ending === undefined || process.tty === null;
  const tree = isAlone ? [process] : readTrees([{ pid: process.pid, tty: process.tty! }]).treeOf(process.pid);
  await keepEnded(world.tmux, pane.id);
  await endProcesses(world, agent, tree.length === 0 ? [process] : tree, pane.address);
}

/** `tree` has parents before their children. `where` is for people. */
export async function endProcesses(
  { progress }: Pick<TeamWorld, "progress">,
  agent: Agent | null,
  tree: readonly ProcessInfo[],
  where: string,
): Promise<void> {
  const steps = agent?.ending?.steps(tree) ?? plainSteps(tree[0]!);
  const involved = tree.filter(({ pid }) => steps.some((step) => step.pid === pid));
  const living = () => involved.filter(isThere);
  for (const { pid, signal } of steps) {
    if (living().some((each) => each.pid === pid)) signalProcess(pid, signal);
    const end = performance.now() + limits.endMs;
    while (living().length > 0 && performance.now() < end) {
      progress(`waiting for ${where} to end`);
      await rest(limits.startPollMs);
    }
  }
  progress(null);
  const [left] = living();
  if (left !== undefined) throw new HiveError(`process ${left.pid} in ${where} does not end`);
}

function plainSteps({ pid }: ProcessInfo): EndStep[] {
  return [
    { pid, signal: "SIGTERM" },
    { pid, signal: "SIGKILL" },
  ];
}

function isThere({ pid, startTicks, startedAtMs }: ProcessInfo): boolean {
  const now = findProcess(pid);
  return (
    now !== null && (startTicks === null ? now.startedAtMs === startedAtMs : now.startTicks === startTicks)
  );
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error;
  }
}
