// Where the parts of the screen are. Pure: also a click is placed by it.

import type { TopState } from "./state.js";
import { rowsOnce } from "./terminal/rows-once.js";

export interface Area {
  top: number;
  left: number;
  columns: number;
  rows: number;
}

export interface Layout {
  list: Area;
  /** Null if the terminal is too small to show both. */
  detail: Area | null;
  /** What the last command printed. */
  result: Area;
}

/** A wide terminal has the list on the left, a narrow one above. */
export function layoutOf({ columns, rows, result }: Pick<TopState, "columns" | "rows" | "result">): Layout {
  const lines = result === null ? 0 : rowsOnce(result.lines, columns).length;
  const resultRows = Math.min(lines, Math.max(1, Math.floor(rows / 4)));
  // One line above for the fleet, one below for the keys.
  const body = Math.max(1, rows - 2 - resultRows);
  const area = (top: number, left: number, width: number, height: number): Area => ({
    ...{ top, left, columns: Math.max(0, width), rows: Math.max(0, height) },
  });
  const resultArea = area(1 + body, 0, columns, resultRows);
  if (columns >= wideColumns) {
    const left = Math.max(leastListColumns, Math.floor(columns * 0.45));
    const detail = area(1, left + 1, columns - left - 1, body);
    return { list: area(1, 0, left, body), detail, result: resultArea };
  }
  if (body < tallRows) return { list: area(1, 0, columns, body), detail: null, result: resultArea };
  const above = Math.ceil(body / 2);
  const detail = area(1 + above + 1, 0, columns, body - above - 1);
  return { list: area(1, 0, columns, above), detail, result: resultArea };
}

const wideColumns = 110;
const leastListColumns = 50;
const tallRows = 14;
