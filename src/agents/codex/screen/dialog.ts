// What Codex shows in place of its input box while it asks something.
//
// - Proof of a dialog is its cursor on a numbered option: a reversed row. Two dialogs have no such row and are known
//   by their words.
// - The question is the last sentence above the options that ends in a question mark, or else the title.

import type { Dialog, DialogOption, KnownDialog } from "../../box.js";

/** Reads rows without styles, of a screen without an input box. */
export function readDialog(rows: readonly string[], isReversed: (row: number) => boolean): Dialog | null {
  const locked = rows.findIndex((row) => row.includes("This conversation is open in another app"));
  if (locked >= 0)
    return { ...plain(rows.slice(locked)), question: lockedWords, known: known(lockedWords, false) };
  const cursor = rows.findLastIndex((row, at) => isReversed(at) && optionForm.test(row));
  if (cursor < 0) return null;
  const first = firstOption(rows, cursor);
  const options = optionsFrom(rows, first, cursor);
  const above = paragraphs(rows.slice(0, first));
  const named = nameDialog(above, options);
  const question = named?.question ?? questionIn(above) ?? above.at(-1) ?? null;
  const start = rows.slice(0, first).findLastIndex((row, at) => row === "" && rows[at - 1] === "") + 1;
  const panel = rows.slice(start).filter((row) => row !== "");
  return {
    kind: "dialog",
    question,
    options,
    rows: panel,
    ...(named === null ? {} : { known: named.known }),
  };
}

const optionForm = /^[› ] (\d{1,2})\. (\S.*)$/u;
const lockedWords = "another process has this conversation open";

function plain(rows: readonly string[]): Dialog {
  return { kind: "dialog", question: null, options: [], rows: rows.filter((row) => row !== "") };
}

function known(asks: string, isClosedByEscape: boolean): KnownDialog {
  return { asks, isClosedByEscape };
}

/** Upwards from the cursor, over the rows of long options, to where the numbers begin. */
function firstOption(rows: readonly string[], cursor: number): number {
  let first = cursor;
  for (let at = cursor - 1; at >= 0 && /^(?:[› ] \d{1,2}\. | {5})/u.test(rows[at]!); at--)
    if (optionForm.test(rows[at]!)) first = at;
  return first;
}

function optionsFrom(rows: readonly string[], first: number, cursor: number): DialogOption[] {
  const options: DialogOption[] = [];
  for (let at = first; at < rows.length; at++) {
    const row = rows[at]!;
    const [, number, label] = optionForm.exec(row) ?? [];
    if (number !== undefined)
      options.push({ number: Number(number), label: label!.split(/ {2,}/)[0]!, isAtCursor: at === cursor });
    else if (/^ {5}\S/.test(row)) options.at(-1)!.label += ` ${row.trim()}`;
    else break;
  }
  return options;
}

/** Blocks of rows without an empty one between, joined. */
function paragraphs(rows: readonly string[]): string[] {
  return rows
    .map((row) => row.trim())
    .join("\n")
    .split(/\n{2,}/)
    .map((block) => block.replaceAll("\n", " ").trim())
    .filter((block) => /\p{L}/u.test(block));
}

function questionIn(above: readonly string[]): string | null {
  const block = above.findLast((each) => /\?(?:\s|$)/.test(each) && !each.startsWith("Reason: "));
  return block === undefined ? null : /^(.*?\?)(?:\s|$)/.exec(block)![1]!;
}

interface Named {
  question: string;
  known: KnownDialog;
}

function nameDialog(above: readonly string[], options: readonly DialogOption[]): Named | null {
  const asked = questionIn(above.slice(-5));
  const command = above.findLast((block) => block.startsWith("$ "))?.slice(2);
  if (asked !== null && command !== undefined && /\brun the following command\?$/.test(asked))
    return { question: `run ${command}?`, known: known(`whether to run ${command}`, true) };
  const folder = /^Folder access (\S.*)$/.exec(
    above.find((block) => block.startsWith("Folder access ")) ?? "",
  )?.[1];
  if (folder !== undefined && asked !== null)
    return { question: asked, known: known(`whether you trust ${folder}`, false) };
  if (above.some((block) => block.startsWith("Working directory · resume")))
    return { question: "in which folder?", known: known("in which folder to resume", true) };
  if (options.some(({ label }) => label.startsWith("Skip until next version")))
    return { question: above.at(-1)!, known: known("whether to update", true) };
  return null;
}
