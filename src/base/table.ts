// A table of text: columns as wide as their widest cell, by what a terminal really shows.

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

/** Most text is plain ASCII, or the dash of an empty cell, a column a character; the rest has to be taken apart. */
export function textWidth(text: string): number {
  return /^[\x20-\x7e–]*$/.test(text) ? text.length : stringWidth(text);
}
