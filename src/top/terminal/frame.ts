// What `top` shows, as a value: lines of styled spans. Pure.
//
// Widths are those of the text as it is shown: control characters are shown as pictures (`harmless`).

import { harmless } from "../../base/text/escape-terminal.js";
import { textWidth } from "../../base/text/table.js";

export type Colour = "black" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "white" | "grey";

export interface Style {
  colour?: Colour;
  isBold?: boolean;
  isDim?: boolean;
  isInverse?: boolean;
  isUnderlined?: boolean;
}

export interface Span extends Style {
  text: string;
}

export type Line = readonly Span[];

export interface Frame {
  lines: readonly Line[];
  /** Where the text cursor is shown; null hides it. */
  cursor: { row: number; column: number } | null;
}

export function span(text: string, style: Style = {}): Span {
  return { ...style, text };
}

/** The text alone. */
export function plainLine(line: Line): string {
  return line.map(({ text }) => text).join("");
}

/** In columns of the terminal. */
export function widthOf(text: string): number {
  return isPlain(text) ? text.length : textWidth(harmless(text));
}

export function lineWidth(line: Line): number {
  return line.reduce((width, { text }) => width + widthOf(text), 0);
}

/** Exactly `columns` wide: cut with `…` if it is too long, otherwise filled with blanks that have no style. */
export function fitted(line: Line, columns: number): Line {
  const width = lineWidth(line);
  if (width === columns) return line;
  if (width < columns) return [...line, span(" ".repeat(columns - width))];
  const cut = cutLine(line, columns);
  const missing = columns - lineWidth(cut);
  return missing > 0 ? [...cut, span(" ".repeat(missing))] : cut;
}

/**
 * Whether all terminals draw the text in `widthOf` columns: letters of Europe, lines, blocks, arrows, and the wide
 * characters of East Asia. They disagree about emoji, marks, and scripts that join their letters.
 */
export function isWidthSure(text: string): boolean {
  return /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03c9\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2190-\u21ff\u2500-\u25fc\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/.test(
    text,
  );
}

/** Lines side by side. */
export function columnsOf(parts: readonly { line: Line; columns: number }[]): Line {
  return parts.flatMap(({ line, columns }) => fitted(line, columns));
}

/** For a line that is too long. The `…` has the style of the span that it cuts. */
function cutLine(line: Line, columns: number): Line {
  if (columns < 1) return [];
  const cut: Span[] = [];
  let left = columns - 1;
  for (const each of line) {
    const width = widthOf(each.text);
    if (width > left) return [...cut, { ...each, text: `${textBegin(each.text, left)}…` }];
    cut.push(each);
    left -= width;
  }
  return cut;
}

/**
 * The text in rows of at most `columns`: all of it can be read. A row that continues another one begins with `↪ `. A row
 * ends behind a blank if one is in its second half.
 */
export function textRows(text: string, columns: number): string[] {
  if (widthOf(text) <= columns) return [text];
  const parts = isPlain(text) ? text : segmentsOf(harmless(text));
  const mark = columns > 8 ? "↪ " : "";
  const rows: string[] = [];
  for (let at = 0; at < parts.length; ) {
    const before = rows.length > 0 ? mark : "";
    const end = rowEnd(parts, at, columns - before.length);
    const row = parts.slice(at, end);
    rows.push(before + (typeof row === "string" ? row : row.join("")));
    at = end;
  }
  return rows;
}

function rowEnd(parts: string | readonly string[], from: number, columns: number): number {
  let [end, blank] = [from, from];
  for (let left = columns; end < parts.length; end++) {
    left -= textWidth(parts[end]!);
    if (left < 0 && end > from) return blank - from >= (end - from) / 2 ? blank : end;
    if (parts[end] === " ") blank = end + 1;
  }
  return end;
}

/** The longest end in at most `columns`. */
export function textEnd(text: string, columns: number): string {
  let end = "";
  for (const part of segmentsOf(text).toReversed()) {
    if (widthOf(part + end) > columns) break;
    end = part + end;
  }
  return end;
}

/** The longest beginning in at most `columns`, without half of a character or a character without its marks. */
function textBegin(text: string, columns: number): string {
  const shown = harmless(text);
  if (isPlain(shown)) return shown.slice(0, columns);
  const begin: string[] = [];
  let width = 0;
  for (const segment of segmentsOf(shown)) {
    width += textWidth(segment);
    if (width > columns) break;
    begin.push(segment);
  }
  // Some characters are wider together than the sum of them.
  while (textWidth(begin.join("")) > columns) begin.pop();
  return begin.join("");
}

function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** Characters with their marks. */
function segmentsOf(text: string): string[] {
  return [...characters().segment(text)].map(({ segment }) => segment);
}

let segmenter: Intl.Segmenter | undefined;

/** Made late: it takes a few milliseconds, and plain text needs none. */
function characters(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter;
}
