// The options of a Claude Code dialog.
//
// - Numbered options are the last run of numbers from 1, or from the top of a scrolled list. Numbers in the text
//   above do not count. The list may contain a horizontal rule, and may end with a button, which has no number.
// - Options without numbers are the rows around the cursor, in its column, if the dialog says that Enter chooses
//   one.

import type { DialogOption } from "../../box.js";
export interface OptionList {
  options: DialogOption[];
  /** The row of the first option; the number of rows if there is none. */
  first: number;
}

/** `keys` is the end of the dialog, which says what the keys do. */
export function readOptions(
  panel: readonly string[],
  keys: string,
  hasTextCursor: (row: number) => boolean,
): OptionList {
  const numbered = readNumbered(panel, hasTextCursor);
  // Text may be numbered too. It is a list of options only with a cursor, or if a search field holds the cursor.
  const isChosenFrom = numbered.options.some(({ isAtCursor }) => isAtCursor) || !enterGoesOn.test(keys);
  if (numbered.options.length > 0 && isChosenFrom) return numbered;
  if (enterGoesOn.test(keys)) {
    const label = enterGoesOn.exec(keys)![0];
    return { options: [{ number: 1, label, isAtCursor: true }], first: panel.length };
  }
  return readBare(panel, keys) ?? { options: [], first: panel.length };
}

/** Whether the rows below a rule continue a list: by their numbers, or with the button that ends it. */
export function continuesOptions(rows: readonly string[]): boolean {
  const first = rows.map((row) => optionForm.exec(row)).find((match) => match !== null);
  if (first !== undefined) return first[3] !== "1" && first[2] !== "↑";
  return buttonForm.test(rows.find((row) => row.trim() !== "") ?? "");
}

const enterGoesOn = /\bPress Enter to continue\b/;
// A narrow pane drops the space after the number. A version number is not an option number.
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

/** Two spaces come before the option's explanation, one before a tick, which marks the current choice. */
function labelOf(text: string): string {
  return text.split(/ {2,}/)[0]!.replace(/ ✔$/u, "");
}

const enterChooses = /\b(Enter to (confirm|select)|Space to select)\b/;
const bareCursor = /^(\s*)❯ +(?!\d{1,2}\.(?!\d))\S/u;
/** How many columns a label may be from the cursor's column: after a tick, or a button below a checklist. */
const labelIndent = 5;

/**
 * A label that a narrow pane wraps continues in the same column, in lower case. If that is misread, the cursor is
 * never seen on the option, and nothing is chosen.
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
    // Enter on a checkbox may accept the whole list as ticked: a person must tick it.
    else options.push({ number: /^\[.\] /u.test(label) ? 0 : options.length + 1, label, isAtCursor });
  }
  return { options, first };
}

/** The theme dialog does not name its keys. */
function isTickList(rows: readonly string[], cursor: number): boolean {
  return rows.some((row, at) => /^\s*❯? +✔ \S/u.test(row) && Math.abs(at - cursor) < 10);
}
