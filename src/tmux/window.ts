// Windows: made, named, sized, laid out.
//
// [TW1] A layout that tmux would not understand never reaches it: some crash the server, and every agent with it.
// [TW2] A window that was resized is tmux's own to size again: `resize-window` alone would freeze it.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import type { PaneId, TeamName } from "../names/gates.js";
import { paneIdOf } from "./answer.js";
import type { TmuxSessionId, WindowId } from "./listing.js";
import { type PaneStart, startArguments } from "./program.js";
import { literal } from "./quote.js";
import { exactly } from "./session.js";
import type { Tmux } from "./tmux.js";

export interface WindowStart extends PaneStart {
  name?: string;
  /** Where in the session; the first free place without it. */
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

export async function renameWindow(tmux: Tmux, window: WindowId, name: string): Promise<void> {
  await tmux.run(["rename-window", "-t", window, "--", literal(name)]);
}

/** The window, or the one a pane stands in. Whoever chose how tmux sizes it, chose that for good. */
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

const namedLayouts = ["even-horizontal", "even-vertical", "main-horizontal", "main-vertical", "tiled"];

/** One of tmux's five, or a string as `windowLayout` of a listing has it. */
export async function selectLayout(tmux: Tmux, window: WindowId | PaneId, layout: string): Promise<void> {
  if (!isLayout(layout)) throw new HiveError(`refused "${harmless(layout)}": not a layout of tmux`);
  await tmux.run(["select-layout", "-t", window, layout]);
}

export function isLayout(text: string): boolean {
  if (namedLayouts.includes(text)) return true;
  const [, checksum, cells] = /^([0-9a-f]{4}),(\d+x\d+,\d+,\d+[\d,x[\]{}]*)$/.exec(text) ?? [];
  return cells !== undefined && Number.parseInt(checksum!, 16) === layoutChecksum(cells);
}

/** tmux's own: sixteen bits, rotated right by one before each character is added. */
function layoutChecksum(cells: string): number {
  let sum = 0;
  for (const byte of Buffer.from(cells, "latin1")) {
    sum = ((sum >> 1) + ((sum & 1) << 15) + byte) & 0xffff;
  }
  return sum;
}
