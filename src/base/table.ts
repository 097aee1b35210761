// A table of text: columns as wide as their widest cell, by what a terminal really shows.
//
// [TB1] A line that is cut is no wider than it may be, ends in `…`, and leaves no colour behind; one that fits stays
//       as it is.

import stringWidth from "fast-string-width";

export type Alignment = "left" | "right";

/** The first row is the heading. Trailing blanks are cut, so that lines can be compared and copied. */
export function textTable(
  rows: readonly (readonly string[])[],
  alignments: readonly Alignment[] = [],
): string[] {
  const cellWidths = rows.map((row) => row.map(textWidth));
  const widths: number[] = [];
  for (const row of cellWidths) {
    for (let column = 0; column < row.length; column++) {
      widths[column] = Math.max(widths[column] ?? 0, row[column]!);
    }
  }
  return rows.map((row, at) =>
    row
      .map((cell, column) => {
        const blanks = " ".repeat(widths[column]! - cellWidths[at]![column]!);
        return alignments[column] === "right" ? blanks + cell : cell + blanks;
      })
      .join("  ")
      .trimEnd(),
  );
}

/** What stands at the end of a row is what can be missed: titles, descriptions, folders. */
export function cutLines(lines: readonly string[], columns: number): string[] {
  return lines.map((line) => (textWidth(line) <= columns ? line : cutLine(line, columns)));
}

function cutLine(line: string, columns: number): string {
  let kept = "";
  let width = 0;
  for (const [part] of line.matchAll(/\u001b\[[\d;]*m|./gu)) {
    if (part.startsWith("\u001b")) kept += part;
    else if (width < columns) {
      width += textWidth(part);
      kept += width < columns ? part : "…";
    }
  }
  return kept;
}

/** Most text is plain ASCII, or the dash of an empty cell, a column a character; the rest has to be taken apart. */
export function textWidth(text: string): number {
  return /^[\x20-\x7e–]*$/.test(text) ? text.length : stringWidth(text);
}
