// A cheap question to tmux: are the panes still those of the last listing, and what does one of them show? One spawn.

import type { PaneId } from "../names/gates.js";
import { newMark } from "./answer.js";
import type { TmuxPane } from "./listing.js";
import type { Tmux } from "./tmux.js";

export interface Glance {
  /** Equal to the `placesOf` of a listing as long as no pane was made, moved, ended or closed, and no window resized. */
  places: string;
  /** What the pane shows; null if it is gone, or none was named. */
  screen: string | null;
}

export async function glanceAt(tmux: Tmux, shown: PaneId | null): Promise<Glance> {
  // Random, so that no name of a tmux session can imitate it.
  const mark = newMark();
  const { stdout, failure } = await tmux.attempt([
    [
      "list-panes",
      "-a",
      "-F",
      "#{pane_id} #{pane_pid} #{pane_dead} #{window_width}x#{window_height} #{session_name}:#{window_index}.#{pane_index}",
    ],
    ["display-message", "-p", mark],
    ...(shown === null ? [] : [["capture-pane", "-p", "-t", shown]]),
  ]);
  const isGone = failure?.reason === "no-server" || failure?.reason === "no-target";
  if (failure !== null && !isGone) throw failure;
  const [listed = "", screen = ""] = stdout.split(`${mark}\n`);
  const places = listed.split("\n").filter(Boolean).sort().join("\n");
  return { places, screen: shown === null || failure !== null ? null : screen };
}

export function placesOf(
  panes: readonly Pick<
    TmuxPane,
    "id" | "pid" | "dead" | "windowWidth" | "windowHeight" | "address" | "alsoAt"
  >[],
): string {
  return panes
    .flatMap(({ id, pid, dead, windowWidth, windowHeight, address, alsoAt }) =>
      [address, ...alsoAt].map((at) => `${id} ${pid} ${dead ? 1 : 0} ${windowWidth}x${windowHeight} ${at}`),
    )
    .sort()
    .join("\n");
}
