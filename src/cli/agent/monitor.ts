// The last lines of panes, as text and as JSON. Pane text is foreign, so it is printed with escapes made visible.

import { HiveError, UsageError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import type { Activity } from "../../fleet/activity/activity.js";
import type { FleetPane } from "../../fleet/panes.js";
import type { Hive } from "../../hive/hive.js";
import { limits } from "../../limits.js";
import type { Command } from "../command.js";
import { farRead, takingHosts } from "../far/also-far.js";
import { nameArgument, namedPane, teamOption } from "../named-agent.js";
import { type Output, shown } from "../output.js";

export const agentMonitor: Command = {
  words: "agent monitor",
  also: ["logs"],
  about: "print the last lines of an agent's pane",
  args: [takingHosts(nameArgument), { name: "lines", about: "how many (default: 40)", isOptional: true }],
  options: [teamOption],
  examples: [
    "hivemind agent monitor builder",
    "hivemind agent monitor web4team:0.1 100",
    "hivemind agent monitor tester@server",
  ],
  hasJson: true,
  async run(cli, typed) {
    const input = await farRead(cli, typed, agentMonitor, "name");
    if (typeof input === "number") return input;
    const count = linesWanted(input.arg("lines"), 40);
    const { hive, pane } = await namedPane(cli, input);
    const [screen] = await screensOf(hive, [pane], count);
    if (screen === undefined) throw new HiveError(`${pane.address} is gone`, { hint: "hivemind status" });
    if (input.flag("json")) cli.out.json(screen);
    else for (const line of screen.lines) cli.out.print(harmless(line));
    return undefined;
  },
};

interface Screen {
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
  throw new UsageError(`"${harmless(typed)}" is not a number of lines`, {
    hint: `1 to ${limits.monitorLines}`,
  });
}

/** In pane order, from one capture. A pane that has vanished is left out. */
export async function screensOf(hive: Hive, panes: readonly FleetPane[], count: number): Promise<Screen[]> {
  const { capturePanes } = await import("../../tmux/capture.js");
  const { activityOf } = await import("../../fleet/activity/activity.js");
  const { lookAtPanes } = await import("../../fleet/activity/activity-screens.js");
  const { roleOf } = await import("../../fleet/resolve.js");
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
    return [{ pane: address, paneId, role: roleOf(pane), kind, activity, lines }];
  });
}

/** Without the blank lines at the end. */
function lastLines(text: string, count: number): string[] {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const end = lines.findLastIndex((line) => line !== "") + 1;
  return lines.slice(Math.max(0, end - count), end);
}

export function screenLines({ pane, role, activity, lines }: Screen, { colours }: Output): string[] {
  const head = `${colours.bold(shown(pane))}  ${shown(role)}  ${colours.dim(shown(activity))}`;
  return [head, ...lines.map((line) => `  ${harmless(line)}`)];
}
