// Recognises trouble in the client's own messages: a full context, a limit, an error. Pure.
//
// - The beginning of the text decides. The transcript and the screen word some errors differently; both forms count.
// - A limit whose time has passed is over. Clock times count from when the message was written, if that is known.
// - A failed turn is an error, whatever its text says.

import type { LastTurn } from "../../../transcripts/transcript.js";
import { readLimit } from "./limits-text.js";

export interface Trouble {
  activity: "context-low" | "limited" | "error";
  about: string;
  untilMs: number | null;
}

/** Null for a text without trouble. Returns a limit even if it is over: see `isOver`. */
export function readTrouble(text: string, saidAtMs: number): Trouble | null {
  if (contextFull.test(text)) return { activity: "context-low", about: text, untilMs: null };
  const limit = readLimit(text, saidAtMs);
  if (limit !== null) return { activity: "limited", ...limit };
  return errorForm.test(text) ? { activity: "error", about: text, untilMs: null } : null;
}

/** For a turn that the transcript marks as failed; null for any other, and for a limit that is over. */
export function readFailure(turn: LastTurn | null, nowMs: number): Trouble | null {
  if (turn === null || turn.end !== "error") return null;
  const error: Trouble = { activity: "error", about: turn.words, untilMs: null };
  const trouble = readTrouble(turn.words, turn.atMs ?? nowMs) ?? error;
  return isOver(trouble, nowMs) ? null : trouble;
}

export function isOver({ untilMs }: Trouble, nowMs: number): boolean {
  return untilMs !== null && untilMs <= nowMs;
}

const contextFull = /^(Context limit reached|Prompt is too long)\b/;
const errorForm = new RegExp(
  `^(${[
    "API Error\\b",
    "Please run /login\\b",
    "Not logged in\\b",
    "Invalid API key\\b",
    "OAuth token\\b",
    "Credit balance (is )?too low\\b",
    "Request too large\\b",
    "There's an issue with the selected model\\b",
  ].join("|")})`,
);
