// What stands in the place of Claude Code's input box while it asks something: a question, a menu, a panel.
//
// [DG1] A dialog proves itself: a cursor on a numbered option, the keys that answer it in its last rows, or the rule
//       of a panel. Any other screen without an input box is not called one.
// [DG2] Its options are the last run numbered from 1, whatever the text above it counts. A rule may stand inside it.
// [DG3] Its question is the last row above the options that asks one, with the rows it is wrapped over; without
//       options or question it is the title.
// [DG4] A rule at the bottom with nothing under it was left there by an earlier picture: it begins no panel.

import type { Dialog, DialogOption } from "../agent.js";

/** Rows without styles, of a screen on which no input box was found. */
export function readDialog(screen: readonly string[]): Dialog | null {
  const rows = screen.slice(0, screen.findLastIndex((row) => row.trim() !== "" && !isPanelRule(row)) + 1);
  const rule = rows.findLastIndex(isPanelRule);
  const below = rows.slice(rule + 1);
  const panel = continuesCounting(below)
    ? rows.slice(rows.slice(0, rule).findLastIndex(isPanelRule) + 1)
    : below;
  const { options, first } = readOptions(panel);
  const lastRows = below.filter((row) => row.trim() !== "").slice(-3);
  const isProven =
    options.some(({ isAtCursor }) => isAtCursor) ||
    lastRows.some((row) => answerKeys.test(row)) ||
    rows[rule]?.startsWith("▔");
  return isProven ? { kind: "dialog", question: readQuestion(panel, first), options } : null;
}

/** The client draws its own rules from the first column on; those of a conversation are indented. */
export function isPanelRule(row: string): boolean {
  return /^(─{3,}|▔{3,})/.test(row);
}

// A narrow pane leaves out the space behind the number; a version number is none.
const optionForm = /^(\s*([❯↑↓]?)\s*(\d{1,2})\.(?!\d)\s*)(\S.*)$/u;
const answerKeys = /\b(Esc|Enter) to (cancel|clear|close|confirm|continue|exit|select|set|submit)\b/;

function continuesCounting(rows: readonly string[]): boolean {
  const first = rows.map((row) => optionForm.exec(row)).find((match) => match !== null);
  return first !== undefined && first[3] !== "1";
}

function readOptions(rows: readonly string[]): { options: DialogOption[]; first: number } {
  let options: DialogOption[] = [];
  let first = rows.length;
  let labelColumn = 0;
  for (const [at, row] of rows.entries()) {
    const match = optionForm.exec(row);
    const number = Number(match?.[3]);
    if (match !== null && (number === 1 || number === options.length + 1)) {
      if (number === 1) [options, first] = [[], at];
      // Behind two spaces stands another column: what the option means.
      options.push({ number, label: match[4]!.split(/ {2,}/)[0]!, isAtCursor: match[2] === "❯" });
      labelColumn = match[1]!.length;
    } else if (labelColumn > 0 && row.search(/\S/) === labelColumn) {
      options.at(-1)!.label += ` ${row.trim()}`;
    } else {
      labelColumn = 0;
    }
  }
  return { options, first };
}

function readQuestion(panel: readonly string[], firstOption: number): string | null {
  const rows = panel.slice(0, firstOption);
  const isMenu = firstOption === panel.length;
  const asked = isMenu ? -1 : rows.findLastIndex((row) => row.trimEnd().endsWith("?"));
  if (asked < 0) return rows.find(hasWords)?.trim().replace(/\s+/g, " ") ?? null;
  const gap = rows.slice(0, asked).findLastIndex((row) => !hasWords(row));
  return rows
    .slice(gap + 1, asked + 1)
    .map((row) => row.trim())
    .join(" ");
}

function hasWords(row: string): boolean {
  return /\p{L}/u.test(row);
}
