// What Claude Code is doing, read from its visible screen (`capture-pane -e`, every line of the pane).
//
// - The rules are tried in order on the live bottom; the first match decides.
// - A limit that only the client's last words show is over when its time has passed.
// - A screen without an input box is never idle: it is a named dialog, or unknown with a reason.
// - The transcript decides what an error is: a turn that it marks as failed. Words of the model are not an error,
//   nor is an error that a person's later prompt or command has overtaken. The screen decides only what the
//   transcript does not have yet.

import type { LastTurn } from "../../../transcripts/transcript.js";
import type { SeenActivity } from "../../agent.js";
import { readLimit } from "../text/limits-text.js";
import { isOver, readFailure, readTrouble, type Trouble } from "../text/trouble-text.js";
import { type Bottom, bottomOf } from "./screen-bottom.js";

/** Without lines the screen was not captured: then only a failed turn counts. */
export function readActivity(
  lines: readonly string[] | null,
  nowMs: number,
  turn: LastTurn | null = null,
): SeenActivity | null {
  const failure = readFailure(turn, nowMs);
  const failed = failure && { ...failure, by: "its last turn failed", source: "transcript" as const };
  if (lines === null) return failed;
  const bottom = bottomOf(lines, nowMs);
  // The model's own words, or an error that a person has moved on from: the transcript already has them.
  const known = failure === null && turn !== null ? readTrouble(turn.words, nowMs) : null;
  const isNews = (text: string) => known === null || readTrouble(text, nowMs)?.activity !== known.activity;
  const shown = readBottom({ ...bottom, lastWords: bottom.lastWords.filter(isNews) });
  // A dialog gets the keys first, and a client that works again has left its failure behind.
  const isNearer = ["waiting", "busy", "unknown"].includes(shown.activity);
  return failed === null || isNearer || shown.activity === failed.activity ? shown : failed;
}

function readBottom(bottom: Bottom): SeenActivity {
  for (const { activity, by, seen } of rules) {
    const found = seen(bottom);
    if (found !== null) return { activity, about: found.about ?? null, untilMs: found.untilMs ?? null, by };
  }
  const { view } = bottom;
  return { activity: "unknown", about: view, untilMs: null, by: "its screen shows no input box" };
}

/**
 * Whatever these rules distinguish on an idle client's screen contains a match of this. It is a POSIX extended
 * expression without anything that a tmux format would interpret, and cheap to test on every pane.
 */
export const troubleWords =
  "limit|out of|rror|ontext [lu]|auto-c|login|Credit|too l|API key|issue with|search prompts:|been suspended";

/** An idle client's screen has a row that matches this: its prompt, a sign and a no-break space. */
export const promptForm = "^(❯|!)\u00a0";

interface Rule {
  activity: SeenActivity["activity"];
  /** The evidence on the screen, in words. */
  by: string;
  seen(bottom: Bottom): { about?: string | null; untilMs?: number | null } | null;
}

const rules: readonly Rule[] = [
  {
    activity: "waiting",
    by: "a dialog has replaced its input box",
    seen: ({ box, view }) => (box.kind === "dialog" ? { about: box.question ?? view } : null),
  },
  {
    activity: "busy",
    by: "its footer, or the row above its box, shows that it works",
    seen: ({ isWorking }) => (isWorking ? {} : null),
  },
  {
    activity: "limited",
    by: "its footer shows a limit",
    seen: ({ footer, nowMs }) => {
      const warning = footer.findIndex((row) => row.startsWith("  ⚠ "));
      const text = footer.slice(Math.max(0, warning)).map((row) => row.trim());
      return warning < 0 ? null : readLimit(text.join(" "), nowMs);
    },
  },
  {
    activity: "context-low",
    by: "its last words: the context is full",
    seen: (bottom) => troubles(bottom, "context-low")[0] ?? null,
  },
  {
    activity: "limited",
    by: "its last words name a limit",
    seen: (bottom) => {
      const limits = troubles(bottom, "limited");
      const limit = limits.findLast(({ untilMs }) => untilMs !== null) ?? limits.at(-1);
      return limit === undefined || isOver(limit, bottom.nowMs) ? null : limit;
    },
  },
  {
    activity: "error",
    by: "its last words are an error",
    seen: (bottom) => troubles(bottom, "error")[0] ?? null,
  },
  {
    activity: "busy",
    by: "its footer counts background tasks",
    seen: ({ footer }) => (footer.some(countsBackground) ? {} : null),
  },
  {
    activity: "context-low",
    by: "a note beside its box: the context is nearly full",
    seen: ({ notes }) => aboutOf(notes.find((text) => contextLow.test(text))),
  },
  {
    activity: "idle",
    by: "its input box is open, and nothing shows that it works",
    seen: ({ box }) => (box.kind === "none" ? null : {}),
  },
];

const contextLow = /^(Context low\b|\d+% (until auto-c|context u))/;

function troubles({ lastWords, nowMs }: Bottom, activity: Trouble["activity"]): Trouble[] {
  return lastWords.flatMap((text) => {
    const trouble = readTrouble(text, nowMs);
    return trouble?.activity === activity ? trouble : [];
  });
}

/** Narrow footers are cut after the number. */
function countsBackground(row: string): boolean {
  return /^ {2}(.* · )?\d+ ?((shells?|monitors?|background tasks?)\b|…?$)/.test(row);
}

function aboutOf(text: string | undefined): { about: string } | null {
  return text === undefined ? null : { about: text };
}
