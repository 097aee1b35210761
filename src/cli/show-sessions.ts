// Facts about sessions as cells of a terminal. Pure.

import { textWidth } from "../base/table.js";
import { isRunning, type SessionFacts } from "../fleet/session-list.js";
import { limits } from "../limits.js";
import { isSessionId, type SessionId } from "../names/gates.js";
import type { ManagedId } from "../names/managed-id.js";
import { shown } from "./output.js";

/** The panes it is in: where nothing runs any more, that is said. */
export function places({ panes }: SessionFacts): string {
  const words = panes.map((pane) => (isRunning(pane) ? pane.address : `ended in ${pane.address}`));
  return shown(words.join(", "));
}

/** Of a UUID its first digits; a managed session's id says nothing when it is cut. */
export function shortId(id: SessionId | ManagedId): string {
  return isSessionId(id) ? id.slice(0, 8) : id;
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
export function clipped(text: string | null, columns: number = limits.titleColumns): string {
  const whole = shown(text);
  // Nearly every text is plain, and measuring is what a long table spends its time on.
  if (/^[ -~]*$/.test(whole)) return whole.length < columns ? whole : `${whole.slice(0, columns - 1)}…`;
  let kept = "";
  let units = 0;
  for (const char of whole) {
    // Marks without a width of their own can be piled up without end.
    const isFull = textWidth(kept + char) >= columns || ++units > 2 * columns;
    if (isFull) return `${kept}…`;
    kept += char;
  }
  return kept;
}

/** How full a context is; where nobody knows the window, how many tokens are used. */
export function contextShare(context: SessionFacts["context"]): string {
  if (context === null) return "–";
  if (context.window === null) return `${Math.round(context.used / 1000)}k of ?`;
  return `${Math.round((100 * context.used) / context.window)} %`;
}
