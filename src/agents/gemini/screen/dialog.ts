// What Gemini CLI shows in place of its input box while it asks something: a frame with options, or a list of sessions.
//
// - A frame is a dialog if one of its options has the cursor, or its last rows name the keys that answer. The
//   conversation has frames too, and notes may follow the frame of a dialog.
// - The question is the last row above the options that ends in a question mark, else the first row with words.
// - Escape closes a question about a tool: the client then cancels the turn. At a start it is not known to be safe.

import type { Dialog, DialogOption, KnownDialog } from "../../box.js";

/** Rows have no styles and no trailing blanks, and the screen has no input box. */
export function readDialog(rows: readonly string[]): Dialog | null {
  return framedDialog(rows) ?? sessionList(rows);
}

function framedDialog(rows: readonly string[]): Dialog | null {
  const bottom = rows.findLastIndex((row) => /^ *╰─+╯$/u.test(row));
  if (bottom < 0) return null;
  const column = rows[bottom]!.indexOf("╰");
  const top = rows.slice(0, bottom).findLastIndex((row) => row.indexOf("╭") === column);
  const panel = rows.slice(top + 1, bottom).map((row) =>
    row
      .slice(column + 1)
      .replace(/│$/u, "")
      .trimEnd(),
  );
  const options = optionsIn(panel);
  const isProven = options.some(({ isAtCursor }) => isAtCursor) || answerKeys.test(panel.slice(-8).join(" "));
  if (!isProven) return null;
  const question = questionIn(
    panel,
    panel.findIndex((row) => optionForm.test(row)),
  );
  const known = table.find(({ form }) => panel.some((row) => form.test(row.trim())))?.known;
  return { kind: "dialog", question, options, rows: panel, ...(known === undefined ? {} : { known }) };
}

const optionForm = /^\s*(●?)\s*(\d{1,2})\. +(\S.*)$/u;
const answerKeys = /\b(?:Enter to select|Esc to (?:cancel|close|go back))\b/;

function optionsIn(panel: readonly string[]): DialogOption[] {
  const options: DialogOption[] = [];
  for (const row of panel) {
    const [, cursor, number, label] = optionForm.exec(row) ?? [];
    if (number === undefined) continue;
    if (Number(number) === 1) options.splice(0);
    if (Number(number) !== options.length + 1) continue;
    options.push({
      number: options.length + 1,
      label: label!.split(/ {2,}/)[0]!,
      isAtCursor: cursor === "●",
    });
  }
  return options;
}

function questionIn(panel: readonly string[], firstOption: number): string | null {
  const above = panel.slice(0, firstOption < 0 ? panel.length : firstOption).map((row) => row.trim());
  const asked = above.findLast((row) => row.endsWith("?"));
  const titled = above.find((row) => /\p{L}/u.test(row) && !/^[│╭╰]/u.test(row));
  return asked ?? titled ?? null;
}

const table: readonly { form: RegExp; known: KnownDialog }[] = [
  {
    form: /^Do you trust the files in this folder\?$/,
    known: { asks: "whether you trust its folder", isClosedByEscape: false },
  },
  {
    form: /^How would you like to authenticate for this project\?$/,
    known: { asks: "how to sign in", isClosedByEscape: false },
  },
  {
    form: /^Usage limit reached\b/,
    known: { asks: "what to do about a usage limit", isClosedByEscape: false },
  },
  { form: /^(?:Allow execution of|Apply this change\?|Do you want to proceed\?)/, known: permission() },
  { form: /^Do you want to allow this read\?$/, known: permission() },
  { form: /^Answer Questions$/, known: { asks: "a question", isClosedByEscape: true } },
];

function permission(): KnownDialog {
  return { asks: "for permission", isClosedByEscape: true };
}

/** `/resume` shows it without a frame. Typed letters are commands of the list; `x` deletes a session. */
function sessionList(rows: readonly string[]): Dialog | null {
  const title = rows.findLastIndex((row) => /^ Chat Sessions \(\d+ total/.test(row));
  if (title < 0 || !rows.slice(title).some((row) => /^ Navigate: /.test(row))) return null;
  return {
    kind: "dialog",
    question: "Which session should it resume?",
    options: [],
    rows: rows.slice(title),
    known: { asks: "which session to resume", isClosedByEscape: true },
  };
}
