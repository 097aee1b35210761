// What Claude Code is doing, read from its visible screen (`capture-pane -e`, every line of the pane).
//
// [CS1] The rules are tried in order on the live bottom, and the first that fits tells. Where none fits, nothing is told.
// [CS2] A limit that the client does not show any more but in its last words is over when its time has come.

import type { SeenActivity } from "../agent.js";
import { readLimit } from "./limits-text.js";
import { type Bottom, bottomOf } from "./screen-bottom.js";

export function readActivity(lines: readonly string[], nowMs: number): SeenActivity | null {
  const bottom = bottomOf(lines, nowMs);
  for (const { activity, by, seen } of rules) {
    const found = seen(bottom);
    if (found !== null) return { activity, about: found.about ?? null, untilMs: found.untilMs ?? null, by };
  }
  return null;
}

/**
 * What these rules tell apart on an idle client's screen cannot be there without a match of this (POSIX extended, with
 * nothing in it that a tmux format would take for its own): cheap to ask of every pane.
 */
export const troubleWords = "limit|out of|rror|ontext [lu]|auto-c|login|Credit|too long|API key";

interface Rule {
  activity: SeenActivity["activity"];
  /** In words: what on the screen told. */
  by: string;
  seen(bottom: Bottom): { about?: string | null; untilMs?: number | null } | null;
}

const rules: readonly Rule[] = [
  {
    activity: "waiting",
    by: "a dialog stands in the place of its input box",
    seen: ({ box }) => (box.kind === "dialog" ? { about: box.question } : null),
  },
  {
    activity: "busy",
    by: "its footer, or the row above its box, says that it works",
    seen: ({ isWorking }) => (isWorking ? {} : null),
  },
  {
    activity: "limited",
    by: "its footer tells of a limit",
    seen: ({ footer, nowMs }) => {
      const warning = footer.findIndex((row) => row.startsWith("  ⚠ "));
      const text = footer.slice(Math.max(0, warning)).map((row) => row.trim());
      return warning < 0 ? null : readLimit(text.join(" "), nowMs);
    },
  },
  {
    activity: "context-low",
    by: "its last words: the context is full",
    seen: ({ lastWords }) => aboutOf(lastWords.find((text) => contextFull.test(text))),
  },
  {
    activity: "limited",
    by: "its last words tell of a limit",
    seen: ({ lastWords, nowMs }) => {
      const limits = lastWords.flatMap((text) => readLimit(text, nowMs) ?? []);
      const limit = limits.findLast(({ untilMs }) => untilMs !== null) ?? limits.at(-1);
      return limit === undefined || (limit.untilMs !== null && limit.untilMs <= nowMs) ? null : limit;
    },
  },
  {
    activity: "error",
    by: "its last words are an error",
    seen: ({ lastWords }) => aboutOf(lastWords.find((text) => errorForm.test(text))),
  },
  {
    activity: "busy",
    by: "its footer counts what runs in the background",
    seen: ({ footer }) => (footer.some(countsBackground) ? {} : null),
  },
  {
    activity: "context-low",
    by: "a note beside its box: the context is nearly full",
    seen: ({ notes }) => aboutOf(notes.find((text) => contextLow.test(text))),
  },
  {
    activity: "idle",
    by: "its input box waits, and nothing says that it works",
    seen: ({ box }) => (box.kind === "none" ? null : {}),
  },
];

const contextFull = /^(Context limit reached|Prompt is too long)\b/;
const contextLow = /^(Context low\b|\d+% (until auto-c|context u))/;
const errorForm =
  /^((Please run \/login · )?API Error\b|Not logged in|Invalid API key|Credit balance is too low|OAuth token)/;

/** Narrow footers are cut behind the number. */
function countsBackground(row: string): boolean {
  return /^ {2}(.* · )?\d+ ?((shells?|monitors?|background tasks?)\b|…?$)/.test(row);
}

function aboutOf(text: string | undefined): { about: string } | null {
  return text === undefined ? null : { about: text };
}
