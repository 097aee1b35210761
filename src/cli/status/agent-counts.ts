// Counts of agents by activity, as one line for tmux's status bar.
//
// tmux expands nothing in the line, whatever a tmux session is called. If tmux cannot be asked the line is empty: an
// error would fill everybody's status bar.

import { HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { activityOf } from "../../fleet/activity/activity.js";
import {
  type ActivityCounts,
  countActivities,
  countsText,
  noActivities,
} from "../../fleet/activity/activity-counts.js";
import { lookAtPanes } from "../../fleet/activity/activity-screens.js";
import { roleOf } from "../../fleet/resolve.js";
import type { Hive } from "../../hive/hive.js";
import { limits } from "../../limits.js";

export interface AgentCounts extends Omit<ActivityCounts, "waiting"> {
  /** By role, else by pane: foreign text. */
  waiting: string[];
}

export async function countAgents(hive: Pick<Hive, "panes" | "tmux">): Promise<AgentCounts> {
  const counts: AgentCounts = { ...noActivities(), waiting: [] };
  try {
    const fleet = await hive.panes();
    const screens = await lookAtPanes(hive.tmux, fleet.panes);
    const doing = fleet.panes.map((pane) => [pane, activityOf(pane, null, screens.get(pane.id))] as const);
    const waiting = doing.filter(([, { activity }]) => activity === "waiting");
    Object.assign(counts, countActivities(doing.map(([, { activity }]) => activity)), {
      waiting: waiting.map(([pane]) => harmless(roleOf(pane) ?? pane.address)),
    });
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
  }
  return counts;
}

export function statusText({ waiting, ...counts }: AgentCounts): string {
  const names = waiting.slice(0, limits.statuslineNames).join(", ");
  const more = waiting.length > limits.statuslineNames ? ", …" : "";
  const text = countsText({ ...counts, waiting: waiting.length }, ` (${names}${more})`);
  // Also before `[`, unlike in a name: a status bar is drawn with styles.
  return text.replaceAll("#", "##");
}
