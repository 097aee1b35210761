// A table of text: columns as wide as their widest cell, by what a terminal really shows.

import stringWidth from "fast-string-width";

export type Alignment = "left" | "right";

/** The first row is the heading. Trailing blanks are cut, so that lines can be compared and copied. */
export function textTable(
  rows: readonly (readonly string[])[],
  alignments: readonly Alignment[] = [],
): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell));
    }
  }
  return rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column]!, alignments[column] ?? "left"))
      .join("  ")
      .trimEnd(),
  );
}

function pad(cell: string, width: number, alignment: Alignment): string {
  const blanks = " ".repeat(Math.max(0, width - textWidth(cell)));
  return alignment === "left" ? cell + blanks : blanks + cell;
}

/** Most text is plain ASCII, or the dash of an empty cell, a column a character; the rest has to be taken apart. */
export function textWidth(text: string): number {
  return /^[\x20-\x7e–]*$/.test(text) ? text.length : stringWidth(text);
}
