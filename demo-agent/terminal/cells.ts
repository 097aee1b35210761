// The width of a text in terminal cells, and how to wrap and cut it.

/**
 * Enough of Unicode for names and messages: combining marks take no cell, East Asian wide characters and emoji two.
 */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u;
const none = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

export function cellsOf(text: string): number {
  let cells = 0;
  for (const char of text) cells += charCells(char);
  return cells;
}

/** The lines of a text, each at most `cells` wide; never an empty list. */
export function wrap(text: string, cells: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line.replaceAll("\t", "    "), Math.max(2, cells)));
}

/** Cut to at most `cells`, with an ellipsis if something is missing. */
export function clip(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  return cells < 1 ? "" : `${wrapLine(text, Math.max(1, cells - 1))[0]}…`;
}

function wrapLine(line: string, cells: number): string[] {
  const lines: string[] = [];
  let current = "";
  let used = 0;
  for (const char of line) {
    const width = charCells(char);
    if (used + width > cells) {
      lines.push(current);
      current = "";
      used = 0;
    }
    current += char;
    used += width;
  }
  return [...lines, current];
}

function charCells(char: string): number {
  if (char <= "~") return 1;
  return none.test(char) ? 0 : wide.test(char) ? 2 : 1;
}
