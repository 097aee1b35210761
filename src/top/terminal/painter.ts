// Brings the screen from one frame to the next with few bytes.
//
// - A paint is one write, or none if nothing changed. It holds only the lines that changed.
// - Terminals that know synchronized output show a paint at once; others ignore its marks.
// - A line is cut at the width of the terminal, and lines below its last row are left out.

import { type Frame, fitted, isWidthSure, type Line, lineWidth } from "./frame.js";
import { lineText } from "./sgr.js";

export interface Size {
  columns: number;
  rows: number;
}

export interface Painter {
  paint(frame: Frame, size: Size): void;
  /** The screen may show anything: the next paint writes all of it. */
  forget(): void;
}

/** A line on the screen. */
interface Row {
  line: Line;
  text: string;
  columns: number;
  isWidthSure: boolean;
}

const blank: Row = { line: [], text: "", columns: 0, isWidthSure: true };

export function openPainter(write: (text: string) => void, options: { isColoured: boolean }): Painter {
  let painted: { rows: readonly Row[]; size: Size; cursor: string } | null = null;

  return {
    paint(frame, size) {
      const isSameSize = painted?.size.columns === size.columns && painted.size.rows === size.rows;
      const before = isSameSize ? painted : null;
      const rows = frame.lines.slice(0, size.rows).map((line, at) => {
        const old = before?.rows[at];
        return old?.line === line ? old : rowOf(line, size.columns, options);
      });
      const cursor = cursorText(frame.cursor, size);
      let changes = before === null ? "\x1b[m\x1b[2J" : "";
      for (let at = 0; at < Math.max(rows.length, before?.rows.length ?? 0); at++) {
        const [old, row] = [before?.rows[at] ?? blank, rows[at] ?? blank];
        if (row.text !== old.text) changes += `\x1b[${at + 1}H${replacing(old, row)}`;
      }
      painted = { rows, size: { ...size }, cursor };
      // Each changed line has moved the cursor away from its place.
      if (changes === "" && cursor === before?.cursor) return;
      const isMoved = frame.cursor !== null || cursor !== before?.cursor;
      write(`\x1b[?2026h${changes}${isMoved ? cursor : ""}\x1b[?2026l`);
    },
    forget() {
      painted = null;
    },
  };
}

function rowOf(line: Line, columns: number, options: { isColoured: boolean }): Row {
  const seen = withoutLastBlanks(lineWidth(line) <= columns ? line : fitted(line, columns));
  const isSure = seen.every(({ text }) => isWidthSure(text));
  return { line, text: lineText(seen, options), columns: lineWidth(seen), isWidthSure: isSure };
}

/** Such blanks look the same as an erased line. */
function withoutLastBlanks(line: Line): Line {
  const last = line.at(-1);
  if (last === undefined || last.isInverse || last.isUnderlined) return line;
  const text = last.text.replace(/ +$/, "");
  if (text === last.text && text !== "") return line;
  const rest = line.slice(0, -1);
  return text === "" ? withoutLastBlanks(rest) : [...rest, { ...last, text }];
}

/**
 * Erasing after a line of full width would erase its last cell. Where terminals may disagree about a width, the line is
 * erased first: the old text could be wider than it seems, and the new one could leave a gap.
 */
function replacing(old: Row, row: Row): string {
  if (!old.isWidthSure || !row.isWidthSure) return `\x1b[K${row.text}`;
  return row.columns < old.columns ? `${row.text}\x1b[K` : row.text;
}

function cursorText(cursor: Frame["cursor"], size: Size): string {
  if (cursor === null) return "\x1b[?25l";
  const row = Math.min(Math.max(cursor.row, 0), size.rows - 1);
  const column = Math.min(Math.max(cursor.column, 0), size.columns - 1);
  return `\x1b[${row + 1};${column + 1}H\x1b[?25h`;
}
