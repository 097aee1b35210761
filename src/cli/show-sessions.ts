// Sessions on a terminal. Pure: entries in, lines out.

import stringWidth from "fast-string-width";
import { textTable } from "../base/table.js";
import { isRunning, type SessionEntry } from "../fleet/session-list.js";
import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import { type Colours, shown } from "./output.js";

export interface SessionRow {
  entry: SessionEntry;
  parent: SessionId | null;
}

export function sessionLines(
  rows: readonly SessionRow[],
  options: { nowMs: number; hasFolder: boolean; colours: Colours },
): string[] {
  const { hasFolder, nowMs, colours } = options;
  const folder = (text: string) => (hasFolder ? [text] : []);
  const heading = ["SESSION", "AGENT", "STATE", "MODEL", "CONTEXT", "PARENT", "AGE", "PANE"];
  const cells = ({ entry, parent }: SessionRow) => [
    shortId(entry.id),
    entry.agent,
    entry.state === "live" ? colours.green(entry.state) : entry.state,
    clipped(entry.model),
    entry.context ? `${Math.round((100 * entry.context.used) / entry.context.window)} %` : "–",
    parent === null ? "–" : shortId(parent),
    age(entry.updatedAtMs, nowMs),
    places(entry),
    ...folder(shown(entry.workspace?.path)),
    clipped(entry.title),
  ];
  const alignments = ["left", "left", "left", "left", "right", "left", "right"] as const;
  return textTable([[...heading, ...folder("FOLDER"), "TITLE"], ...rows.map(cells)], alignments);
}

/** The panes it is in: where nothing runs any more, that is said. */
export function places({ panes }: SessionEntry): string {
  const words = panes.map((pane) => (isRunning(pane) ? pane.address : `ended in ${pane.address}`));
  return shown(words.join(", "));
}

export function shortId(id: SessionId): string {
  return id.slice(0, 8);
}

/** The largest unit that fits, whole: `3 h`. */
export function age(sinceMs: number | null, nowMs: number): string {
  if (sinceMs === null) return "–";
  const seconds = Math.max(0, Math.floor((nowMs - sinceMs) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 48 * 3600 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

export function size(bytes: number | null): string {
  if (bytes === null) return "–";
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.floor(value)} ${units[power]}`;
}

/** Foreign text, harmless and no wider than a column may be. */
export function clipped(text: string | null): string {
  let kept = "";
  let units = 0;
  for (const char of shown(text)) {
    // Marks without a width of their own can be piled up without end.
    const isFull = stringWidth(kept + char) >= limits.titleColumns || ++units > 2 * limits.titleColumns;
    if (isFull) return `${kept}…`;
    kept += char;
  }
  return kept;
}
