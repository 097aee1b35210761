// Counts of agents by activity, as one line for tmux's status bar.
//
// tmux expands nothing in the line, whatever a tmux session is called. If tmux cannot be asked the line is empty: an
// error would fill everybody's status bar.

import { HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { activityOf } from "../../fleet/activity/activity.js";
import { lookAtPanes } from "../../fleet/activity/activity-screens.js";
import { roleOf } from "../../fleet/resolve.js";
import type { Hive } from "../../hive/hive.js";
import { limits } from "../../limits.js";

export interface AgentCounts {
  /** By role, else by pane: foreign text. */
  waiting: string[];
  busy: number;
  idle: number;
  /** Agents that have hit a limit, and those whose last turn failed. */
  limited: number;
  error: number;
  /** Agents that do not say what they do, or whose screen shows no input box. */
  unknown: number;
  /** Programs that ended in their panes with an error, or were killed. */
  crashed: number;
}

export async function countAgents(hive: Pick<Hive, "panes" | "tmux">): Promise<AgentCounts> {
  const counts: AgentCounts = { waiting: [], busy: 0, idle: 0, limited: 0, error: 0, unknown: 0, crashed: 0 };
  try {
    const fleet = await hive.panes();
    const screens = await lookAtPanes(hive.tmux, fleet.panes);
    for (const pane of fleet.panes) {
      const { activity } = activityOf(pane, null, screens.get(pane.id));
      if (activity === "waiting") counts.waiting.push(harmless(roleOf(pane) ?? pane.address));
      else if (activity === "context-low") counts.idle += 1;
      else if (activity in counts) counts[activity as "busy"] += 1;
    }
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
  }
  return counts;
}

export function statusText({ waiting, busy, idle, limited, error, unknown, crashed }: AgentCounts): string {
  const names = waiting.slice(0, limits.statuslineNames).join(", ");
  const more = waiting.length > limits.statuslineNames ? ", …" : "";
  const parts = [
    waiting.length > 0 ? `${waiting.length} waiting (${names}${more})` : "",
    ...[`${busy} busy`, `${idle} idle`, `${limited} limited`, `${error} in error`],
    ...[`${crashed} crashed`, `${unknown} unknown`],
  ];
  const text = parts.filter((part) => part !== "" && !part.startsWith("0 ")).join(" · ");
  // Also before `[`, unlike in a name: a status bar is drawn with styles.
  return text.replaceAll("#", "##");
}
