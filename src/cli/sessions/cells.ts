// Formats facts about sessions as table cells. Pure.

import { textWidth } from "../../base/text/table.js";
import { isRunning, type SessionFacts } from "../../fleet/sessions/session-list.js";
import { limits } from "../../limits.js";
import { shown } from "../output.js";

/** The panes of a session; panes in which it has ended are marked. */
export function places({ panes }: SessionFacts): string {
  const words = panes.map((pane) => (isRunning(pane) ? pane.address : `ended in ${pane.address}`));
  return shown(words.join(", "));
}

/** In whole units of the largest unit that fits: `3 h`. */
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

/** Foreign text, safe for a terminal and cut to the column width. */
export function clipped(text: string | null, columns: number = limits.titleColumns): string {
  const whole = shown(text);
  // Nearly every text is plain ASCII, and measuring width is the main cost of a long table.
  if (/^[ -~]*$/.test(whole)) return whole.length < columns ? whole : `${whole.slice(0, columns - 1)}…`;
  let kept = "";
  let units = 0;
  for (const char of whole) {
    // Combining marks have no width and can be stacked without limit.
    const isFull = textWidth(kept + char) >= columns || ++units > 2 * columns;
    if (isFull) return `${kept}…`;
    kept += char;
  }
  return kept;
}

/** How full a context is, in percent; without a known window, the tokens used. */
export function contextShare(context: SessionFacts["context"]): string {
  if (context === null) return "–";
  if (context.window === null) return `${Math.round(context.used / 1000)}k of ?`;
  return `${Math.round((100 * context.used) / context.window)} %`;
}
