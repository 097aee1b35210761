// What the error that ended a turn means. The client words it; the same words are on the screen and in the rollout.

import type { SeenActivity } from "../../agent.js";
import { objectOrNull, parseRecord, textOrNull } from "../../record.js";

export interface Trouble {
  activity: Extract<SeenActivity["activity"], "limited" | "context-low" | "error">;
  about: string;
  untilMs: number | null;
}

export function readTrouble(words: string, nowMs: number): Trouble {
  const about = messageIn(words).replace(/\s+/g, " ").trim();
  if (/\busage limit\b|^Quota exceeded\b/i.test(about))
    return { activity: "limited", about, untilMs: readUntil(about, nowMs) };
  if (/\bran out of room in the model's context window\b/.test(about))
    return { activity: "context-low", about, untilMs: null };
  return { activity: "error", about, untilMs: null };
}

/** The client shows an error that it does not know as the server wrote it. */
function messageIn(words: string): string {
  return textOrNull(objectOrNull(parseRecord(words.trim())?.error)?.message) ?? words;
}

/** `try again at 8:52 AM.` today, or `try again at Nov 21st, 2026 8:52 AM.`, in local time. */
function readUntil(text: string, nowMs: number): number | null {
  const [, day, clock] =
    /\btry again at (?:([A-Z][a-z]{2} \d{1,2}(?:st|nd|rd|th), \d{4}) )?(\d{1,2}:\d\d [AP]M)\b/.exec(text) ??
    [];
  if (clock === undefined) return null;
  const date = day === undefined ? new Date(nowMs).toDateString() : day.replace(/(?<=\d)[a-z]{2},/, ",");
  const until = Date.parse(`${date} ${clock}`);
  if (Number.isNaN(until)) return null;
  const isPast = day === undefined && until < nowMs - 12 * 60 * 60 * 1000;
  return isPast ? until + 24 * 60 * 60 * 1000 : until;
}
