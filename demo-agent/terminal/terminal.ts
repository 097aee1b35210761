// The terminal: the conversation scrolls away above, the live part below is redrawn in place.

import { wrap } from "./cells.js";
import type { Frame } from "./screen.js";

/** How many lines are kept to redraw the screen when its size changes. */
const keptLines = 2000;

export class Terminal {
  private log: string[] = [];
  private unprinted: string[] = [];
  private drawnFrame = "";
  private cursorRow = 0;

  constructor(private readonly output: NodeJS.WriteStream) {}

  get columns(): number {
    return this.output.columns || 80;
  }

  get rows(): number {
    return this.output.rows || 24;
  }

  open(): void {
    this.output.write("\r\x1b[?2004h");
  }

  /** Clears the title and puts the cursor below everything, so that the last words appear there. */
  close(): void {
    this.setTitle("");
    this.output.write(`${up(this.cursorRow)}\r\x1b[J\x1b[?2004l\x1b[?25h`);
  }

  setTitle(title: string): void {
    this.output.write(`\x1b]2;${title}\x07`);
  }

  print(lines: readonly string[]): void {
    this.unprinted.push(...lines);
  }

  /** Clears the conversation, on the screen and above it. */
  clear(): void {
    this.log = [];
    this.unprinted = [];
    this.wipe();
  }

  /** The size changed: the terminal has reflowed its contents, so everything is written again. */
  redraw(frame: Frame): void {
    this.unprinted = [...this.log, ...this.unprinted];
    this.log = [];
    this.wipe();
    this.draw(frame);
  }

  draw(frame: Frame): void {
    const shown = JSON.stringify(frame);
    if (this.unprinted.length === 0 && shown === this.drawnFrame) return;
    const said = this.unprinted.flatMap((line) => wrap(line, this.columns));
    // Each line is erased before it is written: erasing after a full line would delete its last cell.
    const lines = [...said, ...frame.lines].map((line) => `\x1b[2K${line}`).join("\r\n");
    const { row, column } = frame.cursor;
    const back = up(frame.lines.length - 1 - row);
    const aside = column > 0 ? `\x1b[${column}C` : "";
    this.output.write(`\x1b[?25l${up(this.cursorRow)}\r${lines}\x1b[J${back}\r${aside}\x1b[?25h`);
    this.log = [...this.log, ...this.unprinted].slice(-keptLines);
    this.unprinted = [];
    this.drawnFrame = shown;
    this.cursorRow = row;
  }

  private wipe(): void {
    this.output.write("\x1b[2J\x1b[3J\x1b[H");
    this.drawnFrame = "";
    this.cursorRow = 0;
  }
}

function up(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : "";
}
