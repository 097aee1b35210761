// A text table. Columns are as wide as their widest cell on a terminal.
//
// A cut line has at most the given width, ends in `…` and leaves no colour on. Others stay unchanged.

import stringWidth from "fast-string-width";
import { limits } from "../../limits.js";

export type Alignment = "left" | "right";

/** The first row is the heading. Trailing blanks are removed, so that lines can be compared and copied. */
export function textTable(
  rows: readonly (readonly string[])[],
  alignments: readonly Alignment[] = [],
): string[] {
  // The cells of many columns repeat from row to row.
  let [above, aboveWidths]: [readonly string[], number[]] = [[], []];
  const cellWidths = rows.map((row) => {
    const own = row.map((cell, column) => (cell === above[column] ? aboveWidths[column]! : textWidth(cell)));
    [above, aboveWidths] = [row, own];
    return own;
  });
  const widths: number[] = [];
  for (const row of cellWidths) {
    for (let column = 0; column < row.length; column++) {
      widths[column] = Math.max(widths[column] ?? 0, row[column]!);
    }
  }
  return rows.map((row, at) => {
    const own = cellWidths[at]!;
    let line = "";
    for (let column = 0; column < row.length; column++) {
      const cell = row[column]!;
      // Its length in the line's characters, which may be more than its columns.
      const length = cell.length + widths[column]! - own[column]!;
      line += alignments[column] === "right" ? cell.padStart(length) : cell.padEnd(length);
      line += "  ";
    }
    return line.trimEnd();
  });
}

/** Cuts at the end, where rows have the least important cells: titles, descriptions, folders. */
export function cutLines(lines: readonly string[], columns: number): string[] {
  return lines.map((line) => (textWidth(line) <= columns ? line : cutLine(line, columns)));
}

function cutLine(line: string, columns: number): string {
  let cut = "";
  let width = 0;
  for (const [part] of line.matchAll(/\u001b\[[\d;]*m|./gu)) {
    if (part.startsWith("\u001b")) cut += part;
    else if (width < columns) {
      width += textWidth(part);
      cut += width < columns ? part : "…";
    }
  }
  return cut;
}

/** Fast path for plain ASCII, dashes, bullets, dots, lines and blocks, which take one column per character. */
export function textWidth(text: string): number {
  return /^[\x20-\x7e\xb7\u2010-\u2027\u2500-\u25fc]*$/.test(text) ? text.length : measuredWidth(text);
}

const measured = new Map<string, number>();

/** A screen has the same few texts again and again. */
function measuredWidth(text: string): number {
  const known = measured.get(text);
  if (known !== undefined) return known;
  const width = stringWidth(text);
  if (text.length > limits.measuredLength) return width;
  if (measured.size >= limits.measuredTexts) measured.clear();
  measured.set(text, width);
  return width;
}
