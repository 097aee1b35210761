// When the watcher may look less closely. Pure.
//
// - It is calm while no step waits for its time, and every agent is idle or asks something known. An agent that begins
//   to work reports that in a file, and every command writes a file: both wake the watcher.
// - What no file reports is where panes are, whether their programs live, and how large windows are. While it is calm, a
//   tick only compares these; every few ticks the watcher looks anyway.

import { isVague } from "../fleet/activity/activity.js";
import { placesOf } from "../tmux/glance.js";
import type { Decision, Look } from "./decide.js";
import type { NoticedAgent } from "./noticed.js";

/** What a glance compares. */
export interface Calm {
  places: string;
  /** The processes of the agents. tmux may miss the end of one. */
  pids: readonly number[];
}

export function calmOf(look: Look, { memory, facts, steps, isWaiting }: Decision): Calm | null {
  const { fleet, unwritten, newRows, usedUp, queued, changing, events, isTooSmall } = look;
  const open = [facts, steps, unwritten, newRows, usedUp, queued, events];
  const isHealing = [...memory.heals.values()].some(({ isGivenUp }) => !isGivenUp);
  const agents = [...memory.noticed!.agents.values()];
  const isAtRest =
    !isWaiting &&
    !isHealing &&
    !isTooSmall &&
    changing.size === 0 &&
    open.every(({ length }) => length === 0);
  if (!isAtRest || !agents.every(rests) || fleet.background.some(({ live }) => live.activity === "busy"))
    return null;
  // An agent that reports nothing itself changes without a file.
  const isSilent = fleet.panes.some(
    ({ process, live }) => process !== null && (live?.activity ?? null) === null,
  );
  if (isSilent || look.screens.size > 0) return null;
  return { places: placesOf(fleet.panes), pids: agents.map(({ pid }) => pid) };
}

function rests({ reading: { activity, waitingFor } }: NoticedAgent): boolean {
  return activity === "idle" || (activity === "waiting" && !isVague(waitingFor));
}
