// The last lines of panes on a terminal, and as data. Foreign text all of it: shown harmless.

import { UsageError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import type { Activity } from "../fleet/activity.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import type { Hive } from "../hive.js";
import { limits } from "../limits.js";
import { type Output, shown } from "./output.js";

export interface Screen {
  pane: string;
  paneId: string;
  role: string | null;
  kind: string;
  activity: Activity;
  lines: string[];
}

export function linesWanted(typed: string | undefined, standard: number): number {
  if (typed === undefined) return standard;
  const count = Number(typed);
  if (/^\d+$/.test(typed) && count >= 1 && count <= limits.monitorLines) return count;
  throw new UsageError(`"${harmless(typed)}" is no number of lines`, { hint: `1 to ${limits.monitorLines}` });
}

/** In the order of the panes, with one capture for all of them; one that vanished meanwhile is left out. */
export async function screensOf(
  hive: Hive,
  fleet: Panes,
  panes: readonly FleetPane[],
  count: number,
): Promise<Screen[]> {
  const { capturePanes } = await import("../tmux/capture.js");
  const { activityOf } = await import("../fleet/activity.js");
  const { lookAtPanes } = await import("../fleet/activity-screens.js");
  const { rolesIn } = await import("../fleet/resolve.js");
  const roleAt = rolesIn(fleet, hive.stores);
  const seen = await capturePanes(
    hive.tmux,
    panes.map(({ id }) => id),
    { historyLines: count },
  );
  const looked = await lookAtPanes(hive.tmux, panes);
  return panes.flatMap((pane) => {
    const text = seen.get(pane.id);
    if (text === undefined) return [];
    const { address, id: paneId, kind } = pane;
    const lines = lastLines(text, count);
    const { activity } = activityOf(pane, null, looked.get(pane.id));
    return [{ pane: address, paneId, role: roleAt(pane), kind, activity, lines }];
  });
}

/** Without the blank lines under what was written. */
export function lastLines(text: string, count: number): string[] {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const end = lines.findLastIndex((line) => line !== "") + 1;
  return lines.slice(Math.max(0, end - count), end);
}

export function screenLines({ pane, role, activity, lines }: Screen, { colours }: Output): string[] {
  const head = `${colours.bold(shown(pane))}  ${shown(role)}  ${colours.dim(shown(activity))}`;
  return [head, ...lines.map((line) => `  ${harmless(line)}`)];
}
