// What Gemini CLI is doing, read from its visible screen (`capture-pane -e`, every line of the pane).
//
// - A dialog comes first: the client calls itself working or ready in some of them. Then work, then a failed turn.
// - The transcript decides what an error is. The screen decides only without it: the client's own last lines `✕ …`.
// - A screen without an input box is never idle: it is a dialog, or unknown.

import type { LastTurn } from "../../../transcripts/transcript.js";
import type { SeenActivity } from "../../agent.js";
import { readTrouble } from "../text/trouble-text.js";
import { findFrame, showsWork } from "./frame.js";
import { boxIn, rowsOf } from "./input-box.js";

/** Without lines the screen was not captured: then only a failed turn counts. */
export function readActivity(
  lines: readonly string[] | null,
  _nowMs: number,
  turn: LastTurn | null = null,
): SeenActivity | null {
  const failed = turn?.end === "error" ? failure(turn.words, "its last turn failed") : null;
  if (lines === null) return failed && { ...failed, source: "transcript" };
  const rows = rowsOf(lines);
  const box = boxIn(rows);
  if (box.kind === "dialog") return seen("waiting", box.question, "a dialog has replaced its input box");
  const frame = findFrame(rows);
  if (box.kind === "none" || frame === null)
    return seen("unknown", "its screen shows no input box", "its screen shows no input box");
  if (showsWork(rows, frame)) return seen("busy", null, "the row above its box shows that it works");
  if (failed !== null) return { ...failed, source: "transcript" };
  const words = turn === null ? lastError(rows.slice(0, frame.rule)) : null;
  if (words !== null) return failure(words, "its last words are an error");
  return seen("idle", null, "its input box is open, and nothing shows that it works");
}

function seen(activity: SeenActivity["activity"], about: string | null, by: string): SeenActivity {
  return { activity, about, untilMs: null, by };
}

function failure(words: string, by: string): SeenActivity {
  const { activity, about } = readTrouble(words);
  return seen(activity, about, by);
}

/** The last block of the conversation, past the client's notes (`ℹ`), if it is an error. */
function lastError(rows: readonly string[]): string | null {
  const at = rows.findLastIndex((row) => /^(?:✕|✦| >)(?: |$)/u.test(row));
  if (at < 0 || !rows[at]!.startsWith("✕")) return null;
  const end = rows.slice(at).indexOf("");
  return rows
    .slice(at, end < 0 ? undefined : at + end)
    .join(" ")
    .replace(/^✕ /u, "")
    .replace(/\s+/g, " ");
}
