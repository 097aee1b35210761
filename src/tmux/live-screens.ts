// What panes show right now, with size and cursor, in one spawn for any number of them. A closed pane is missing.

import type { PaneId } from "../names/gates.js";
import { newMark } from "./answer.js";
import { TmuxError } from "./error.js";
import type { Tmux } from "./tmux.js";

export interface LiveScreen {
  columns: number;
  rows: number;
  /** Null if the program hides it. */
  cursor: { column: number; row: number } | null;
  /** The rows with tmux's sequences for colours, which go on from row to row. */
  text: string;
}

export async function liveScreens(tmux: Tmux, panes: readonly PaneId[]): Promise<Map<PaneId, LiveScreen>> {
  if (panes.length === 0) return new Map();
  // Random, so that no text on a screen can imitate it.
  const mark = newMark();
  const facts = `${mark} #{pane_width} #{pane_height} #{cursor_x} #{cursor_y} #{cursor_flag}`;
  // A file: a pane that is gone fails alone, and an argument list would be limited to about 16,000 bytes.
  const lines = panes.map(
    (pane) =>
      `display-message -p ${mark}\ndisplay-message -p -t ${pane} '${facts}'\ncapture-pane -p -e -N -t ${pane}\n`,
  );
  const { stdout, failure } = await tmux.attempt([["source-file", "-"]], lines.join(""));
  if (failure?.reason === "no-server") return new Map();
  if (failure && failure.reason !== "no-target") throw failure;
  const [, ...parts] = stdout.split(new RegExp(`^${mark}\n`, "m"));
  if (parts.length !== panes.length) throw new TmuxError("failed", "tmux capture-pane: truncated answer");
  return new Map(panes.flatMap((pane, at) => readScreen(parts[at]!, mark, pane) ?? []));
}

function readScreen(part: string, mark: string, pane: PaneId): [[PaneId, LiveScreen]] | null {
  const [head = "", ...rows] = part.split("\n");
  const found = new RegExp(`^${mark} (\\d+) (\\d+) (\\d+) (\\d+) (\\d)$`).exec(head)?.slice(1).map(Number);
  // tmux answers for a missing pane with the current one, or with empty facts; only its capture fails. A screen has rows.
  if (found === undefined || rows.length < 2) return null;
  const [columns, height, column, row, isShown] = found as [number, number, number, number, number];
  const cursor = isShown === 0 ? null : { column, row };
  return [[pane, { columns, rows: height, cursor, text: rows.slice(0, -1).join("\n") }]];
}
