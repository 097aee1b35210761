// The options of a dialog of Claude Code.
//
// [DG2] Numbered options are the last run that counts from 1, or from where a list is scrolled, whatever the text above
//       it counts. A rule may stand inside it. A button that ends such a list has no number.
// [DG5] Options without numbers are the rows around the cursor, in its column, where Enter is said to choose one.

import type { DialogOption } from "../agent.js";

export interface OptionList {
  options: DialogOption[];
  /** The row of the first one; the number of rows where there is none. */
  first: number;
}

/** `keys` are the last words of the dialog, which say what the keys do. */
export function readOptions(
  panel: readonly string[],
  keys: string,
  hasTextCursor: (row: number) => boolean,
): OptionList {
  const numbered = readNumbered(panel, hasTextCursor);
  // Text may count too: only a cursor, or a list that a search field keeps it away from, makes options of it.
  const isChosenFrom = numbered.options.some(({ isAtCursor }) => isAtCursor) || !enterGoesOn.test(keys);
  if (numbered.options.length > 0 && isChosenFrom) return numbered;
  if (enterGoesOn.test(keys)) {
    const label = enterGoesOn.exec(keys)![0];
    return { options: [{ number: 1, label, isAtCursor: true }], first: panel.length };
  }
  return readBare(panel, keys) ?? { options: [], first: panel.length };
}

/** Below a rule a list goes on where its numbers do, or with the button that ends it. */
export function continuesOptions(rows: readonly string[]): boolean {
  const first = rows.map((row) => optionForm.exec(row)).find((match) => match !== null);
  if (first !== undefined) return first[3] !== "1" && first[2] !== "↑";
  return buttonForm.test(rows.find((row) => row.trim() !== "") ?? "");
}

const enterGoesOn = /\bPress Enter to continue\b/;
// A narrow pane leaves out the space behind the number; a version number is none.
const optionForm = /^(\s*([❯↑↓]?)\s*(\d{1,2})\.(?!\d)\s*)(\S.*)$/u;
const buttonForm = /^\s*(❯?)\s+(Submit|Next|Enable selected|Chat about this)$/u;

function readNumbered(rows: readonly string[], hasTextCursor: (row: number) => boolean): OptionList {
  let options: DialogOption[] = [];
  let first = rows.length;
  let labelColumn = 0;
  for (const [at, row] of rows.entries()) {
    const match = optionForm.exec(row);
    const number = Number(match?.[3]);
    const isNext = number === (options.findLast((each) => each.number > 0)?.number ?? 0) + 1;
    const isFirst = number === 1 || (match?.[2] === "↑" && !isNext);
    const button = options.length > 0 ? buttonForm.exec(row) : null;
    if (match !== null && (isFirst || isNext)) {
      if (isFirst) [options, first] = [[], at];
      const label = labelOf(match[4]!);
      const isTextField = match[2] === "❯" && hasTextCursor(at);
      options.push({
        number,
        label,
        isAtCursor: match[2] === "❯",
        ...(isTextField ? { isTextField } : {}),
      });
      labelColumn = match[1]!.length;
    } else if (button !== null) {
      options.push({ number: 0, label: button[2]!, isAtCursor: button[1] === "❯" });
      labelColumn = 0;
    } else if (labelColumn > 0 && row.search(/\S/) === labelColumn) {
      options.at(-1)!.label += ` ${row.trim()}`;
    } else {
      labelColumn = 0;
    }
  }
  return { options, first };
}

/** Behind two spaces stands what the option means, and behind one a tick: it holds now, or was chosen this moment. */
function labelOf(text: string): string {
  return text.split(/ {2,}/)[0]!.replace(/ ✔$/u, "");
}

const enterChooses = /\b(Enter to (confirm|select)|Space to select)\b/;
const bareCursor = /^(\s*)❯ +(?!\d{1,2}\.(?!\d))\S/u;
/** How far a label may stand from the cursor's own column: behind a tick, or the button below a checklist. */
const labelIndent = 5;

/**
 * A label that a narrow pane wraps goes on in the same column, with a small letter. Where that is read wrongly the
 * cursor is never seen on the option, and nothing is chosen.
 */
function readBare(rows: readonly string[], keys: string): OptionList | null {
  const cursor = rows.findLastIndex((row) => bareCursor.test(row));
  if (cursor < 0 || !(enterChooses.test(keys) || isTickList(rows, cursor))) return null;
  const column = bareCursor.exec(rows[cursor]!)![1]!.length + 2;
  const isInList = (row: string | undefined) => {
    const indent = (row ?? "").replace("❯", " ").search(/\S/);
    return indent >= column && indent <= column + labelIndent;
  };
  let [first, end] = [cursor, cursor + 1];
  while (isInList(rows[first - 1])) first -= 1;
  while (isInList(rows[end])) end += 1;
  const options: DialogOption[] = [];
  for (const [at, row] of rows.slice(first, end).entries()) {
    const isAtCursor = first + at === cursor;
    const label = labelOf(row.replace(/^\s*❯?\s*(✔ )?/u, ""));
    if (!isAtCursor && options.length > 0 && /^\p{Ll}/u.test(label)) options.at(-1)!.label += ` ${label}`;
    // Enter on a box may take the whole list as it is ticked: a person ticks it.
    else options.push({ number: /^\[.\] /u.test(label) ? 0 : options.length + 1, label, isAtCursor });
  }
  return { options, first };
}

/** The choice of a theme says no keys. */
function isTickList(rows: readonly string[], cursor: number): boolean {
  return rows.some((row, at) => /^\s*❯? +✔ \S/u.test(row) && Math.abs(at - cursor) < 10);
}
