// Creates, names, resizes and lays out windows.
//
// An invalid layout never reaches tmux: some crash the server, and every agent with it. After a resize, tmux sizes
// the window automatically again: `resize-window` alone would freeze it.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import type { PaneId, TeamName } from "../names/gates.js";
import { paneIdOf } from "./answer.js";
import { isLayout } from "./layout-string.js";
import type { TmuxSessionId, WindowId } from "./listing.js";
import { splitCommand } from "./pane.js";
import { type PaneStart, startArguments } from "./program.js";
import { literal } from "./quote.js";
import { exactly } from "./session.js";
import type { Tmux, TmuxCommand } from "./tmux.js";

export interface WindowStart extends PaneStart {
  name?: string;
  /** Its index in the session (default: the first free one). */
  index?: number;
}

export async function newWindow(
  tmux: Tmux,
  session: TmuxSessionId | TeamName,
  start: WindowStart = {},
): Promise<PaneId> {
  const printed = await tmux.run([
    ...["new-window", "-d", "-P", "-F", "#{pane_id}", "-t", `${exactly(session)}:${start.index ?? ""}`],
    ...(start.name === undefined ? [] : ["-n", literal(start.name)]),
    ...startArguments(start),
  ]);
  return paneIdOf(printed, "new-window");
}

/** For a window, or the window of a pane. If the user has set window-size, that setting stays. */
export async function resizeWindow(
  tmux: Tmux,
  window: WindowId | PaneId,
  width: number,
  height: number,
): Promise<void> {
  const chosen = (await tmux.run(["show-options", "-w", "-v", "-t", window, "window-size"])).trim();
  await tmux.run(
    ["resize-window", "-t", window, "-x", String(width), "-y", String(height)],
    chosen === ""
      ? ["set-option", "-w", "-u", "-t", window, "window-size"]
      : ["set-option", "-w", "-t", window, "window-size", chosen],
  );
}

/** One of tmux's five layouts, or a string like `windowLayout` of a listing. */
export async function selectLayout(tmux: Tmux, window: WindowId | PaneId, layout: string): Promise<void> {
  await tmux.run(layoutCommand(window, layout));
}

/** Tiles first, because the pane may be small while its window is large. Returns the new pane. */
export async function splitTiled(
  tmux: Tmux,
  pane: PaneId,
  window: WindowId,
  { layout, ...start }: PaneStart & { layout: string },
): Promise<PaneId> {
  const [before, after] = [layoutCommand(window, "tiled"), layoutCommand(window, layout)];
  return paneIdOf(await tmux.run(before, splitCommand(pane, start), after), "split-window");
}

function layoutCommand(window: WindowId | PaneId, layout: string): TmuxCommand {
  if (!isLayout(layout)) throw new HiveError(`refused "${harmless(layout)}": not a tmux layout`);
  return ["select-layout", "-t", window, layout];
}
