// The context window that the client itself reports, in tokens.

import { markFinder, numberBehindKey } from "../../../transcripts/scan/outline.js";
import type { Place } from "./line.js";

const mark = Buffer.from('"model_context_window"');
const findWindow = markFinder(mark);

/** Null if this line does not name it. */
export function windowIn(bytes: Buffer, { start, end }: Place): number | null {
  const at = findWindow(bytes, start, end);
  const tokens = at < 0 ? 0 : numberBehindKey(bytes, at + mark.length, end);
  return tokens > 0 && Number.isFinite(tokens) ? tokens : null;
}
