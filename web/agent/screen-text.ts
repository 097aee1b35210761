// A whole screen as what a terminal must be sent to show exactly it. Pure.

import type { PaneScreen } from "../../src/web/contract.js";

export function screenText({ lines, rows, cursor }: PaneScreen): string {
  // Without wrapping, a row of full width leaves the next one alone.
  const start = "\x1b[?7l\x1b[?25l";
  const all = Array.from({ length: rows }, (_, at) => `\x1b[${at + 1};1H\x1b[0m\x1b[2K${lines[at] ?? ""}`);
  const place = cursor === null ? "" : `\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h`;
  return `${start}${all.join("")}\x1b[0m${place}`;
}

/** The largest size, in pixels, at which all columns fit into the width and all rows into the height. */
export function fontSizeFor(
  { columns, rows }: Pick<PaneScreen, "columns" | "rows">,
  room: { width: number; height: number },
  cell: { widthPerSize: number; heightPerSize: number },
): number {
  const byWidth = room.width / columns / cell.widthPerSize;
  const byHeight = room.height / rows / cell.heightPerSize;
  const [smallest, largest] = [5, 16];
  return Math.max(smallest, Math.min(largest, Math.floor(Math.min(byWidth, byHeight) * 4) / 4));
}
