// The answer of `/status`, which stays in the conversation. The last one on the screen counts.

import type { ShownStatus } from "../../agent.js";
import { readGlyphs } from "../../sgr.js";
import { rowOf } from "./input-box.js";

export function readStatus(lines: readonly string[]): ShownStatus | null {
  const rows = readGlyphs(lines).map(rowOf);
  const end = rows.findLastIndex((row) => /^ {2}Session: +\S/.test(row));
  if (end < 0) return null;
  const start = rows.slice(0, end).lastIndexOf("") + 1;
  const block = rows.slice(start, end + 1);
  const value = (label: string) =>
    block
      .flatMap((row) => (row.startsWith(`  ${label}:`) ? row.slice(label.length + 3).trim() : []))
      .at(-1) ?? null;
  return { id: value("Session"), name: value("Thread name") };
}
