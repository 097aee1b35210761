// What Claude Code shows in place of its input box while it asks something: a question, a menu, a panel.
//
// - Proof of a dialog is a cursor on a numbered option, the answering keys in its last rows, the rule of a panel, or
//   a known title. Any other screen without an input box is not a dialog.
// - The question is the last row above the options that ends in a question mark, with the rows it is wrapped over.
//   Without options or question it is the title. A known dialog may have a clearer question of its own.
// - A rule at the bottom with nothing below it is left from an earlier picture and begins no panel.

import type { Dialog } from "../../box.js";
import { continuesOptions, readOptions } from "./dialog-options.js";
import { nameDialog } from "./known-dialogs.js";

/**
 * Reads rows without styles, of a screen without an input box. `hasTextCursor` says whether a row has the text
 * cursor.
 */
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
 * The client's own rules begin in the first column; those of a conversation are indented. A notice may cover all of
 * a panel's rule except its end.
 */
export function isPanelRule(row: string): boolean {
  return /^(─{3,}|▔{3,}| .* ▔$)/.test(row);
}

const answerKeys =
  /\b(Esc|Enter|Space) to (cancel|clear|close|confirm|continue|exit|go back|reject|select|set|submit|view)\b/;

/** A menu may list questions as its items. */
function readQuestion(rows: readonly string[], { isMenu }: { isMenu: boolean }): string | null {
  const asked = isMenu ? -1 : rows.findLastIndex((row) => row.endsWith("?"));
  if (asked < 0) return null;
  const gap = rows.slice(0, asked).findLastIndex((row) => !hasWords(row));
  return rows.slice(gap + 1, asked + 1).join(" ");
}

function hasWords(row: string): boolean {
  return /\p{L}/u.test(row);
}
