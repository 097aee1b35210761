// What OpenCode is doing, read from its visible screen.
//
// - Its input box ends with a row `╹▀▀▀`. A question takes the place of the box, and has no such row.
// - The row below the box shows work: `■■⬝⬝ esc interrupt`, or why and when it tries again.
// - The transcript decides what an error is. A screen without an input box is never idle.

import type { LastTurn } from "../../../transcripts/transcript.js";
import type { SeenActivity } from "../../agent.js";
import { readGlyphs, textOf } from "../../sgr.js";

/** Without lines the screen was not captured: then only a failed turn counts. */
export function readActivity(
  lines: readonly string[] | null,
  nowMs: number,
  turn: LastTurn | null = null,
): SeenActivity | null {
  const failed = turn?.end === "error" ? seen("error", turn.words, "its last turn failed") : null;
  if (lines === null) return failed && { ...failed, source: "transcript" };
  const rows = readGlyphs(lines).map((row) => textOf(row).trimEnd());
  const question = rows.findLast((row) => /^\s*┃\s+(?:△|\?)\s/u.test(row)) ?? null;
  const end = rows.findLastIndex((row) => /^\s*╹▀{10,}/u.test(row));
  if (end < 0) {
    const asked = question?.replace(/^\s*┃\s+(?:△|\?)\s+/u, "") ?? null;
    if (asked !== null) return seen("waiting", asked, "a question has replaced its input box");
    return seen("unknown", "its screen shows no input box", "its screen shows no input box");
  }
  const below = rows.slice(end + 1).join(" ");
  const retry = /[■⬝]+\s+(.+?) \[retrying (?:in (?:(\d+)m ?)?(?:(\d+)s)? ?)?attempt #\d+\]/u.exec(below);
  if (retry !== null) return retrying(retry, nowMs);
  if (/\besc (?:again to )?interrupt\b/.test(below))
    return seen("busy", null, "the row below its box shows that it works");
  if (failed !== null) return { ...failed, source: "transcript" };
  return seen("idle", null, "its input box is open, and nothing shows that it works");
}

function retrying([, about = "", minutes, seconds]: RegExpExecArray, nowMs: number): SeenActivity {
  const waitMs = (Number(minutes ?? 0) * 60 + Number(seconds ?? 0)) * 1000;
  const by = "the row below its box shows when it tries again";
  return { ...seen("limited", about, by), untilMs: waitMs === 0 ? null : nowMs + waitMs };
}

function seen(activity: SeenActivity["activity"], about: string | null, by: string): SeenActivity {
  return { activity, about, untilMs: null, by };
}
