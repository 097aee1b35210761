// The input box of Claude Code, read from its visible screen (`capture-pane -e`, every line of the pane).
//
// - Only the box at the bottom counts, with nothing but its own footer below it. A box that the conversation quotes
//   does not count.
// - `empty` means: the whole box is visible, belongs to this conversation, and typed text becomes a message.
//   Otherwise the answer is `none`, or the dialog in its place.
// - Faint text is a suggestion, not typed text, also after a draft. Its first letter is reversed under the cursor.
// - A draft has one line per row of the screen: wrapped rows and typed lines look alike.
// - A box in another mode (`!` runs a shell command) is a draft that begins with the mode's sign, even if it is
//   empty.
// - A box whose keys go to the history search is a dialog. The box in the list of agents would start another
//   conversation: it is `none`.
// - The client works if its footer says so, or the row above the box: footers that are narrow leave it out, and so
//   do footers while something is typed.
// - The client colours the name of a command that it knows. Without colours it is unknown whether it does.

import type { Box } from "../../box.js";
import { type Glyph, readGlyphs, textOf } from "../../sgr.js";
import { isPanelRule, readDialog } from "./dialog.js";

export function readBox(lines: readonly string[]): Box {
  return boxOf(readGlyphs(lines));
}

/** For a screen that is already parsed into glyphs. */
export function boxOf(glyphs: readonly Glyph[][]): Box {
  const rows = glyphs.map(rowOf);
  const frame = findFrame(rows);
  if (frame === null) return readDialog(rows, (at) => hasTextCursor(glyphs[at]!)) ?? { kind: "none" };
  const footer = rows.slice(frame.end + 1);
  if (footer.some((row) => row.startsWith("  search prompts:")))
    return { kind: "dialog", question: null, options: [] };
  const box = readTyped(glyphs.slice(frame.prompt, frame.bottom));
  if (box.kind === "draft" && box.text.startsWith("/"))
    return { ...box, ...commandIn(glyphs[frame.prompt]!.slice(2), glyphs) };
  // A shell prompt below the box: the client has ended and left a picture of a box.
  const hasOwnFooter = footer.every((row) => /^(\s|$)/.test(row));
  // In vim's VISUAL mode Enter does not send.
  const takesEnter = !footer.some((row) => row.startsWith("  -- VISUAL"));
  return box.kind === "draft" || (hasOwnFooter && takesEnter) ? box : { kind: "none" };
}

function commandIn(row: readonly Glyph[], screen: readonly Glyph[][]): { isKnownCommand?: boolean } {
  if (!screen.some((line) => line.some(({ colour }) => colour !== ""))) return {};
  const end = row.findIndex(({ char }) => char.trim() === "");
  return { isKnownCommand: row.slice(0, end < 0 ? undefined : end).every(({ colour }) => colour !== "") };
}

/** The client draws the text cursor of a field as one reversed cell. */
function hasTextCursor(row: readonly Glyph[]): boolean {
  return row.some(({ isReversed }) => isReversed);
}

/** Whether the client shows that it works. False without a box. */
export function showsWork(rows: readonly string[]): boolean {
  const frame = findFrame(rows);
  if (frame === null) return false;
  if (rows.slice(frame.end + 1).some((row) => /\besc to( int|…$)/.test(row))) return true;
  const conversation = rows.slice(0, frame.top);
  const above = conversation.findLast((row) => /^\S/.test(row));
  const isSpinning = above !== undefined && /^[·✢✳✶✻✽*] .*(…|Retrying in )/.test(above);
  return isSpinning || isRetrying(conversation);
}

/** A narrow pane breaks the countdown row into several, without the spinner at the beginning. */
function isRetrying(above: readonly string[]): boolean {
  const sign = above.findLastIndex((row) => /^[·✢✳✶✻✽*]$/.test(row));
  return sign >= 0 && above.slice(sign + 1).some((row) => /^\S.* · Retrying in \d+s/.test(row));
}

/** Without trailing blanks, but with the no-break space that marks a prompt. */
export function rowOf(line: readonly Glyph[]): string {
  return textOf(line).replace(/ +$/, "");
}

export interface Frame {
  top: number;
  prompt: number;
  /** The lower rule; `end` is its last row. */
  bottom: number;
  end: number;
}

/**
 * The no-break space distinguishes the prompt from a message in the conversation and from the cursor of a menu. In a
 * narrow pane a cut suggestion moves to a row of its own.
 */
function isPrompt(row: string, at: number, rows: readonly string[]): boolean {
  return /^\S\u00a0/u.test(row) || (/^\S /u.test(row) && rows[at + 1] === "\u00a0");
}

const ruleForm = /^─+$/;

/** The lowest prompt between its two rules. A long session name covers most of the upper rule. */
export function findFrame(rows: readonly string[]): Frame | null {
  const prompt = rows.findLastIndex(isPrompt);
  const above = rows[prompt - 1];
  if (above === undefined || !above.endsWith("─")) return null;
  const height = rows.slice(prompt).findIndex((row) => ruleForm.test(row));
  if (height < 0) return null;
  const bottom = prompt + height;
  // With a long session name in a narrow pane both rules are wrapped.
  const end = ruleForm.test(rows[bottom + 1] ?? "") ? bottom + 1 : bottom;
  const isContinued = rows.slice(prompt + 1, bottom).every((row) => /^(\s|$)/.test(row));
  const isLowest = !rows.slice(end + 1).some(isPanelRule);
  return isContinued && isLowest ? { top: prompt - 1, prompt, bottom, end } : null;
}

function readTyped(lines: readonly Glyph[][]): Box {
  const mode = lines[0]![0]!.char;
  const typed = lines.map((line) => line.slice(2));
  const sign = mode === "❯" ? "" : mode;
  const text = sign + textIn(typed);
  if (text === "") return { kind: "empty" };
  const isSuggested = sign === "" && typed.flat().every(isOfSuggestion);
  return isSuggested
    ? { kind: "suggestion", text }
    : { kind: "draft", text: sign + textIn(withoutEnd(typed)) };
}

/** Without the suggestion after the typed text. */
function withoutEnd(lines: readonly Glyph[][]): Glyph[][] {
  let left = lines.flat().findLastIndex((glyph, at, all) => !isOfSuggestion(glyph, at, all)) + 1;
  return lines.map((line) => {
    const typed = line.slice(0, left);
    left = Math.max(0, left - line.length);
    return typed;
  });
}

function textIn(lines: readonly Glyph[][]): string {
  return lines
    .map((line) => textOf(line).trimEnd())
    .join("\n")
    .trim();
}

/** The cell under the cursor has its own style: it belongs to whatever follows it. */
function isOfSuggestion({ char, isFaint, isReversed }: Glyph, at: number, all: readonly Glyph[]): boolean {
  if (char.trim() === "" || isFaint) return true;
  const next = all.slice(at + 1).find((glyph) => glyph.char.trim() !== "");
  return isReversed && next?.isFaint === true;
}
