// The input box of Codex, read from its visible screen (`capture-pane -e`, every line of the pane).
//
// - The box begins with a prompt sign in the first column: `›`, or `!` for a shell line. It is neither faint (a
//   message of the conversation) nor reversed (the cursor of a menu or dialog). The lowest one counts.
// - Below the box come an empty row and the footer. A draft has one line per row of the screen.
// - Faint text is what an empty box shows; typed text is not faint.
// - A draft that is taller than the box shows its end, with an arrow at the right side of its first row.
// - While the menu of slash commands is open it lists the commands that match.

import type { Box } from "../../box.js";
import { type Glyph, readGlyphs, textOf } from "../../sgr.js";
import { readDialog } from "./dialog.js";

export function readBox(lines: readonly string[]): Box {
  return boxOf(readGlyphs(lines));
}

/** For a screen that is already parsed into glyphs. */
export function boxOf(glyphs: readonly Glyph[][]): Box {
  const prompt = findPrompt(glyphs);
  if (prompt < 0) return readDialog(glyphs.map(rowOf), (row) => isReversed(glyphs[row]!)) ?? { kind: "none" };
  const typed = draftRows(glyphs.slice(prompt));
  const sign = glyphs[prompt]![0]!.char === "!" ? "!" : "";
  const visible = typed.flat().filter(({ char }) => char.trim() !== "");
  if (sign === "" && visible.length === 0) return { kind: "empty" };
  const text = typed
    .map((row) => rowOf(row))
    .join("\n")
    .trim();
  if (sign === "" && visible.every(({ isFaint }) => isFaint))
    return text === placeholder ? { kind: "empty" } : { kind: "suggestion", text };
  return { kind: "draft", text: sign + text, ...commandIn(text, glyphs.slice(0, prompt).map(rowOf)) };
}

/** What an empty box says. A narrow pane cuts it. */
const placeholder = "Ask Codex to do anything";

/** The row of the prompt sign, or -1. */
export function findPrompt(glyphs: readonly Glyph[][]): number {
  return glyphs.findLastIndex(([sign, blank]) => {
    const isSign = sign !== undefined && (sign.char === "›" || (sign.char === "!" && sign.colour !== ""));
    return isSign && !sign.isFaint && !sign.isReversed && (blank?.char ?? " ") === " ";
  });
}

function draftRows(below: readonly Glyph[][]): Glyph[][] {
  const end = below.findLastIndex((row) => rowOf(row) !== "") + 1;
  const gap = below.slice(0, end).findLastIndex((row) => rowOf(row) === "");
  return below.slice(0, gap < 0 ? end : gap).map((row, at) => withoutArrow(row.slice(2), at));
}

function withoutArrow(row: readonly Glyph[], at: number): Glyph[] {
  const text = rowOf(row);
  return at === 0 && / {2,}↑$/u.test(text) ? row.slice(0, text.length - 1) : [...row];
}

/** The rows of the menu are above the box: `  /status      show the configuration`. */
function commandIn(text: string, above: readonly string[]): { isKnownCommand?: boolean } {
  if (!/^\/\S*$/.test(text)) return {};
  const listed = above.flatMap((row) => /^[› ] (\/[a-z][a-z0-9-]*) {2,}\S/u.exec(row)?.[1] ?? []);
  return { isKnownCommand: listed.includes(text) };
}

function isReversed(row: readonly Glyph[]): boolean {
  return row[0]?.isReversed === true;
}

/** Without trailing blanks. */
export function rowOf(row: readonly Glyph[]): string {
  return textOf(row).trimEnd();
}
