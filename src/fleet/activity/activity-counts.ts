// How many agents do what, as numbers and as one short line. Pure.

import type { Activity } from "./activity.js";

export interface ActivityCounts {
  waiting: number;
  busy: number;
  idle: number;
  /** Agents that have hit a limit, and those whose last turn failed. */
  limited: number;
  error: number;
  /** Programs that ended in their panes with an error, or were killed. */
  crashed: number;
  /** Agents that do not say what they do, or whose screen shows no input box. */
  unknown: number;
}

export function noActivities(): ActivityCounts {
  return { waiting: 0, busy: 0, idle: 0, limited: 0, error: 0, crashed: 0, unknown: 0 };
}

export function countActivities(activities: Iterable<Activity>): ActivityCounts {
  const counts = noActivities();
  for (const activity of activities) {
    if (activity === "context-low") counts.idle += 1;
    else if (activity in counts) counts[activity as keyof ActivityCounts] += 1;
  }
  return counts;
}

/** `2 waiting · 3 busy`: who needs a person comes first. Empty without agents. */
export function countsText(counts: ActivityCounts, afterWaiting = ""): string {
  const parts = [
    [counts.waiting, `waiting${afterWaiting}`],
    [counts.busy, "busy"],
    [counts.idle, "idle"],
    [counts.limited, "limited"],
    [counts.error, "in error"],
    [counts.crashed, "crashed"],
    [counts.unknown, "unknown"],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(" · ");
}
