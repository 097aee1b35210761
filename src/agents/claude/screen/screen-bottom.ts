// The live bottom of Claude Code's screen: everything that shows what it is doing.
//
// - It consists of the input box or its replacement, the footer, the notes beside it, and the client's own last
//   lines since the last message. The conversation is not part of it.
// - Colour distinguishes the client's own lines from the conversation's: after `●` the colour of the sign, after `⎿`
//   another colour than the sign's.
// - A reply that begins like an error is drawn like an error: only the transcript tells them apart.

import { limits } from "../../../limits.js";
import type { Box } from "../../box.js";
import { type Glyph, readGlyphs, textOf } from "../../sgr.js";
import { boxOf, findFrame, rowOf, showsWork } from "./input-box.js";

/** The part of a screen that the rules look at. */
export interface Bottom {
  nowMs: number;
  box: Box;
  isWorking: boolean;
  /** What replaces a box that takes messages, if it has a name; null if there is a box. */
  view: string | null;
  /** The rows under the box. */
  footer: string[];
  /** Text at the right end of the row above the box and of the rows below it. */
  notes: string[];
  /** What the client itself printed after the last message, as the last thing on the screen; latest first. */
  lastWords: string[];
}

export function bottomOf(lines: readonly string[], nowMs: number): Bottom {
  const glyphs = readGlyphs(lines);
  const rows = glyphs.map(rowOf);
  const frame = findFrame(rows);
  const [box, isWorking] = [boxOf(glyphs), showsWork(rows)];
  const view = box.kind === "none" ? whyNoBox(rows) : box.kind === "dialog" ? namedView(rows) : null;
  // A frame without a box is left from before something else was printed below it.
  if (frame === null || box.kind === "none")
    return { nowMs, box, isWorking, view, footer: [], notes: [], lastWords: [] };
  const footer = rows.slice(frame.end + 1);
  const width = rows[frame.bottom]!.length;
  const note = noteIn(rows[frame.top - 1] ?? "", width);
  return {
    nowMs,
    box,
    isWorking,
    view,
    footer,
    notes: [note ?? [], footer.flatMap((row) => noteIn(row, width) ?? [])].flat(),
    lastWords: lastWordsOf(glyphs.slice(0, note === null ? frame.top : frame.top - 1)),
  };
}

/** Notes end at the right side, or are cut there; a custom status line begins at the left side. */
function noteIn(row: string, width: number): string | null {
  const reachesEnd = row.length >= width - 3;
  return reachesEnd && row.startsWith("  ") ? (row.trim().split(/ {2,}/).at(-1) ?? null) : null;
}

/** From the bottom up, past the line with the duration, to the first line that is not the client's own. */
function lastWordsOf(above: readonly Glyph[][]): string[] {
  const words: string[] = [];
  for (const block of blocksOf(above).reverse()) {
    const first = textOf(block[0]!);
    if (/^[^\s●❯]/u.test(first)) continue;
    if (!isOwn(block[0]!)) break;
    words.push(
      block
        .map((line) =>
          textOf(line)
            .replace(/^[\s●⎿]+/u, "")
            .trimEnd(),
        )
        .join(" "),
    );
  }
  return words;
}

/** Each block begins with a sign, or after a blank row. */
function blocksOf(lines: readonly Glyph[][]): Glyph[][][] {
  const blocks: Glyph[][][] = [];
  let isApart = true;
  for (const line of lines) {
    const text = textOf(line);
    if (text.trim() === "") isApart = true;
    else {
      if (isApart || /^(\S| {2}⎿)/u.test(text)) blocks.push([]);
      blocks.at(-1)!.push(line);
      isApart = false;
    }
  }
  return blocks;
}

function isOwn(line: readonly Glyph[]): boolean {
  const [sign, word] = line.filter(({ char }) => char.trim() !== "");
  if (sign === undefined || word === undefined || word.colour === "") return false;
  return (
    (sign.char === "●" && word.colour === sign.colour) || (sign.char === "⎿" && word.colour !== sign.colour)
  );
}

/**
 * What replaces an input box that takes messages, in words for a person; null for an unnamed view. Rows have no
 * styles and no trailing blanks.
 */
export function namedView(rows: readonly string[]): string | null {
  const bottom = rows.filter((row) => row.trim() !== "").slice(-4);
  return views.find(({ form }) => bottom.some((row) => form.test(row)))?.name ?? null;
}

export function whyNoBox(rows: readonly string[]): string {
  const isSmall = isTooSmall(rows);
  return namedView(rows) ?? `its ${isSmall ? "pane is too small to show its" : "screen shows no"} input box`;
}

const views: readonly { form: RegExp; name: string }[] = [
  { form: /^ {2}Showing detailed transcript\b/, name: "its transcript view is open (ctrl+o)" },
  { form: /^ {2}search prompts:/, name: "its prompt search is open (ctrl+r)" },
  {
    form: /\bctrl\+x to (delete|remove)\b/,
    name: "its list of agents is open: text typed there starts another agent",
  },
  { form: /^ {2}-- VISUAL/, name: "vim's VISUAL mode is on, where Enter does not send" },
  { form: /^Claude Code has been suspended\b/, name: "it is suspended (ctrl+z)" },
];

function isTooSmall(rows: readonly string[]): boolean {
  const widest = Math.max(0, ...rows.map((row) => row.length));
  return rows.length < limits.boxRows || (widest > 0 && widest < limits.boxColumns);
}
