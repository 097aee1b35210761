// The live bottom of Claude Code's screen: all that tells what it is doing.
//
// [CB1] It is the box or what stands in its place, its footer, the notes beside it, and what the client itself said
//       since the last message, with nothing of anybody else behind it. The conversation is no part of it.
// [CB2] The client's own words are told from a conversation's by their colour: the sign's own behind `●`, another
//       than the sign's behind `⎿`. A reply that begins like an error is drawn as one: only the transcript tells.

import type { Box } from "../agent.js";
import { boxOf, findFrame, rowOf, showsWork } from "./box.js";
import { namedView, whyNoBox } from "./screen-views.js";
import { type Glyph, readGlyphs, textOf } from "./sgr.js";

/** All of a screen that rules may look at. */
export interface Bottom {
  nowMs: number;
  box: Box;
  isWorking: boolean;
  /** What stands in place of a box that takes messages, as far as that has a name; null where a box is seen. */
  view: string | null;
  /** The rows under the box. */
  footer: string[];
  /** What stands at the right end of the row above the box and of those under it. */
  notes: string[];
  /** What the client itself said after the last message and behind everything else, the latest first. */
  lastWords: string[];
}

export function bottomOf(lines: readonly string[], nowMs: number): Bottom {
  const glyphs = readGlyphs(lines);
  const rows = glyphs.map(rowOf);
  const frame = findFrame(rows);
  const [box, isWorking] = [boxOf(glyphs), showsWork(rows)];
  const view = box.kind === "none" ? whyNoBox(rows) : box.kind === "dialog" ? namedView(rows) : null;
  // A frame without a box is a picture that something else was printed under.
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

/** Notes end at the right side, or are cut there; somebody's status line begins at the left one. */
function noteIn(row: string, width: number): string | null {
  const reachesEnd = row.length >= width - 3;
  return reachesEnd && row.startsWith("  ") ? (row.trim().split(/ {2,}/).at(-1) ?? null) : null;
}

/** From the bottom up, over how long it took, to the first that is somebody else's. */
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

/** Each begins with a sign, or behind a blank row. */
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
