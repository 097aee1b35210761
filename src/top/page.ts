// A text in place of the list: the help, or what a question is about. Pure.
//
// - Every line is shown whole, over several rows if it is long: a person must be able to read what they say yes to.
// - A yes counts only while the last row is on the screen.

import { layoutOf } from "./layout.js";
import { helpLines } from "./screen/help-lines.js";
import type { TopState } from "./state.js";
import { type Line, span } from "./terminal/frame.js";
import { rowsOnce } from "./terminal/rows-once.js";

export interface Page {
  /** What is on the screen. */
  rows: readonly Line[];
  /** The first row that is on the screen. */
  top: number;
  /** How many rows are below the screen. */
  below: number;
}

/** Null if the list is shown. */
export function pageOf(state: TopState): Page | null {
  const { mode, columns } = state;
  if (mode.kind === "help") return cutPage(helpLines(columns), mode.top, state);
  if (mode.kind !== "asking" || mode.lines.length === 0) return null;
  return cutPage(
    [[], ...rowsOnce(mode.lines, columns - 3).map((row) => [span(`  ${row}`)])],
    mode.top,
    state,
  );
}

function cutPage(all: readonly Line[], wanted: number, state: TopState): Page {
  const { list, detail } = layoutOf(state);
  const height = detail === null || detail.left > 0 ? list.rows : list.rows + 1 + detail.rows;
  const top = Math.max(0, Math.min(wanted, all.length - height));
  return { rows: all.slice(top, top + height), top, below: Math.max(0, all.length - height - top) };
}

/** Moves the page; null for a key that does not. */
export function turned(state: TopState, key: string): number | null {
  const page = pageOf(state);
  if (page === null) return null;
  const height = Math.max(1, page.rows.length - 1);
  const by = { up: -1, k: -1, down: 1, j: 1, pageup: -height, pagedown: height, space: height }[key];
  if (by === undefined) return null;
  return Math.max(0, Math.min(page.top + by, page.top + page.below));
}
