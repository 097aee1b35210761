// What Codex is doing, read from its visible screen (`capture-pane -e`, every line of the pane).
//
// - The rules are tried in order; the first match decides.
// - The rollout decides what an error is: a turn that it marks as failed. The screen decides only if the rollout was
//   not read.
// - A screen without an input box is never idle: it is a dialog, or unknown with a reason.

import type { LastTurn } from "../../../transcripts/transcript.js";
import type { SeenActivity } from "../../agent.js";
import { type Glyph, readGlyphs } from "../../sgr.js";
import { readTrouble } from "../text/trouble-text.js";
import { boxOf, findPrompt, rowOf } from "./input-box.js";

/** Without lines the screen was not captured: then only a failed turn counts. */
export function readActivity(
  lines: readonly string[] | null,
  nowMs: number,
  turn: LastTurn | null = null,
): SeenActivity | null {
  const failed = turn?.end === "error" ? troubleOf(turn.words, nowMs, "its last turn failed") : null;
  const shown = lines === null ? null : readScreen(readGlyphs(lines), nowMs, turn === null);
  if (shown !== null && (failed === null || shown.activity !== "idle")) return shown;
  return failed === null ? null : { ...failed, source: "transcript" };
}

function readScreen(glyphs: readonly Glyph[][], nowMs: number, mayFail: boolean): SeenActivity {
  const box = boxOf(glyphs);
  if (box.kind === "dialog") return seen("waiting", box.question, "a dialog has replaced its input box");
  if (box.kind === "none") return seen("unknown", whyNoBox(glyphs), "its screen shows no input box");
  const above = glyphs.slice(0, findPrompt(glyphs));
  if (above.some(isWorkRow)) return seen("busy", null, "the row above its box shows that it works");
  const error = mayFail ? errorAbove(above) : null;
  const trouble = error === null ? null : troubleOf(error, nowMs, "its last words are an error");
  return trouble ?? seen("idle", null, "its input box is open, and nothing shows that it works");
}

function seen(activity: SeenActivity["activity"], about: string | null, by: string): SeenActivity {
  return { activity, about, untilMs: null, by };
}

/** A limit whose time has passed is no longer one. */
function troubleOf(words: string, nowMs: number, by: string): SeenActivity | null {
  const trouble = readTrouble(words, nowMs);
  const isOver = trouble.untilMs !== null && trouble.untilMs <= nowMs;
  return isOver ? null : { ...trouble, by };
}

/** `• Working (13s • esc to interrupt)`: its keys are bold, which no text of a model is. */
function isWorkRow(row: readonly Glyph[]): boolean {
  return /^[•◦] .*\((?:\d+[hms] ?)+ • esc to int/u.test(rowOf(row)) && row.some(({ isFaint }) => isFaint);
}

/** The red block directly above the box, with the rows it is wrapped over. */
function errorAbove(above: readonly Glyph[][]): string | null {
  const end = above.findLastIndex((row) => rowOf(row) !== "") + 1;
  const start = above.slice(0, end).findLastIndex((row) => rowOf(row) === "") + 1;
  const [sign] = above[start] ?? [];
  if (sign?.char !== "■" || sign.colour === "") return null;
  const words = above.slice(start, end).map(rowOf).join(" ").slice(2);
  return words.startsWith("Conversation interrupted") ? null : words;
}

function whyNoBox(glyphs: readonly Glyph[][]): string {
  const rows = glyphs.map(rowOf);
  if (rows.some((row) => row.includes("Press enter to continue"))) return "it asks how to sign in";
  return "its screen shows no input box";
}
