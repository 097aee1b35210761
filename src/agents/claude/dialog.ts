// What stands in the place of Claude Code's input box while it asks something: a question, a menu, a panel.
//
// [DG1] A dialog proves itself: a cursor on a numbered option, the keys that answer it in its last rows, the rule of a
//       panel, or a title that a rule knows. Any other screen without an input box is not called one.
// [DG3] Its question is the last row above the options that asks one, with the rows it is wrapped over; without
//       options or question it is the title. A rule that knows the dialog may say it in words that name the thing.
// [DG4] A rule at the bottom with nothing under it was left there by an earlier picture: it begins no panel.

import type { Dialog } from "../agent.js";
import { continuesOptions, readOptions } from "./dialog-options.js";
import { nameDialog } from "./known-dialogs.js";

/** Rows without styles, of a screen on which no input box was found. `hasTextCursor` tells it of a row. */
export function readDialog(
  screen: readonly string[],
  hasTextCursor: (row: number) => boolean = () => false,
): Dialog | null {
  const rows = screen.slice(0, screen.findLastIndex((row) => row.trim() !== "" && !isPanelRule(row)) + 1);
  const rule = rows.findLastIndex(isPanelRule);
  const below = rows.slice(rule + 1);
  const start = continuesOptions(below) ? rows.slice(0, rule).findLastIndex(isPanelRule) + 1 : rule + 1;
  const panel = rows.slice(start);
  const keys = below
    .filter((row) => row.trim() !== "")
    .slice(-3)
    .map((row) => row.trim())
    .join(" ");
  const { options, first } = readOptions(panel, keys, (at) => hasTextCursor(start + at));
  const above = panel.slice(0, first).map((row) => row.trim());
  const title = above.find(hasWords)?.replace(/\s+/g, " ") ?? null;
  const asked = readQuestion(above, { isMenu: first === panel.length });
  const named = nameDialog({ title, question: asked, rows: above, options });
  const isProven =
    named !== null ||
    options.some(({ isAtCursor, number }) => isAtCursor && number > 0) ||
    answerKeys.test(keys) ||
    rows[rule]?.startsWith("▔") === true;
  if (!isProven) return null;
  const question = named?.question ?? asked ?? title;
  const known = named === null ? {} : { known: named.known };
  return { kind: "dialog", question, options, rows: panel, ...known };
}

/**
 * The client draws its own rules from the first column on; those of a conversation are indented. A notice may stand
 * in the rule of a panel, so that only its end is left.
 */
export function isPanelRule(row: string): boolean {
  return /^(─{3,}|▔{3,}| .* ▔$)/.test(row);
}

const answerKeys =
  /\b(Esc|Enter|Space) to (cancel|clear|close|confirm|continue|exit|go back|reject|select|set|submit|view)\b/;

/** A menu may list questions of its own. */
function readQuestion(rows: readonly string[], { isMenu }: { isMenu: boolean }): string | null {
  const asked = isMenu ? -1 : rows.findLastIndex((row) => row.endsWith("?"));
  if (asked < 0) return null;
  const gap = rows.slice(0, asked).findLastIndex((row) => !hasWords(row));
  return rows.slice(gap + 1, asked + 1).join(" ");
}

function hasWords(row: string): boolean {
  return /\p{L}/u.test(row);
}
