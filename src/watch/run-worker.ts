// The worker as `watch` and `serve` run it: at its post it delivers, saves and repairs; otherwise it looks on.

import { refuseEarlierVersion } from "../fleet/roster/change-roster.js";
import type { Hive, Voice } from "../hive/hive.js";
import { limits } from "../limits.js";
import { watchLockPath } from "../stores/file/folder.js";
import type { Fact } from "./fact.js";
import { type LoopOptions, runLoop } from "./loop.js";
import { bearable } from "./steps.js";
import { openTurns, type Turn } from "./turn.js";
import { openWake } from "./wake.js";
import { atPost, openPost } from "./worker.js";
import { openWorkerLink, type WorkerLinkOptions } from "./worker-link.js";
import { watchWorld } from "./world.js";

export interface WorkerOptions extends Pick<LoopOptions, "tickMs" | "interrupted" | "isOver"> {
  /** Also applies what `consistency reconcile --apply` would. */
  isReconciling: boolean;
  tell(facts: readonly Fact[]): void;
  /** What the worker of a host in a fleet does besides; asked only there. */
  parts?: WorkerLinkOptions["parts"];
  /** `holder` is the process that has the post. */
  onPost(role: Parameters<LoopOptions["onPost"]>[0], holder: string): void;
}

/** Resolves when it is interrupted, or when `isOver` says so. */
export async function runWorker(hive: Hive, options: WorkerOptions): Promise<void> {
  const { tickMs, interrupted, isReconciling, tell, onPost } = options;
  refuseEarlierVersion(hive.paths);
  const link = openWorkerLink(hive, { ...options, onWell: () => wake.poke() });
  const world = { ...watchWorld(hive, silent, interrupted), onLook: link.onLook };
  const turn = openTurns(world, {
    isReconciling,
    showsForMs: Math.max(limits.labelsForMs, labelTicks * tickMs),
  });
  const trouble = (text: string) => tell([{ kind: "trouble", text }]);
  const post = openPost(watchLockPath(hive.paths));
  const wake = openWake(trouble);
  let isWorker = false;
  const taken: LoopOptions["onPost"] = (role) => {
    isWorker = role !== "looks on";
    if (isWorker) link.begin();
    onPost(role, post.holder());
  };
  try {
    await runLoop(turn, wake, { ...options, post, onPost: taken, isStill: world.isStill });
    // Its last words come before others see that it has ended.
    if (!interrupted.aborted) tell([{ kind: "server", text: "the watcher ends with its tmux server" }]);
  } finally {
    wake.close();
    await link.stop();
    world.holdRequests(null);
    if (isWorker) await world.hide().catch((error: unknown) => trouble(`tidying tmux: ${bearable(error)}`));
    post.leave();
  }
}

/** One turn; a second one if the stores had to follow what is live first. False if tmux could not be asked. */
export function workOnce(
  hive: Hive,
  { interrupted, isReconciling, tell }: Pick<WorkerOptions, "interrupted" | "isReconciling" | "tell">,
): Promise<boolean> {
  refuseEarlierVersion(hive.paths);
  const world = watchWorld(hive, silent, interrupted);
  // A single turn leaves nobody who keeps tmux's own lines up to date.
  const turn = openTurns(world, { isReconciling });
  const work = async () => {
    const first = await turn();
    tell(first.facts);
    const second = needsAnother(first) && !interrupted.aborted ? await turn() : null;
    tell(second?.facts ?? []);
    return first.folders !== null && second?.folders !== null;
  };
  return atPost(watchLockPath(hive.paths), () => work().finally(() => world.holdRequests(null)));
}

/** What is saved or repaired comes after the stores follow what is live. */
function needsAnother({ steps }: Turn): boolean {
  return steps.includes("refresh");
}

/** Long enough for two looks while nothing happens, and one that comes late. */
const labelTicks = 3 * (limits.watchGlances + 1);

/** The loop reports what a repair changed; the notes of the repair itself would repeat it. */
const silent: Voice = { progress: () => {}, note: () => {} };
