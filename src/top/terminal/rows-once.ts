// Long lines over several rows. Every paint asks for the same ones again.

import { textRows } from "./frame.js";

const made = new WeakMap<readonly string[], { columns: number; rows: readonly string[] }>();

/** Lines in rows; the same lines are cut into rows once. */
export function rowsOnce(lines: readonly string[], columns: number): readonly string[] {
  const known = made.get(lines);
  if (known?.columns === columns) return known.rows;
  const rows = lines.flatMap((line) => textRows(line, Math.max(1, columns)));
  made.set(lines, { columns, rows });
  return rows;
}
