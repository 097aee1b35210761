// The only way to the terminal. Results go to stdout, everything else to stderr.

import pico from "picocolors";
import { harmless, harmlessJson } from "../base/text/escape-terminal.js";
import { cutLines } from "../base/text/table.js";
import { wrapText } from "./wrap-text.js";

export type Colours = ReturnType<typeof pico.createColors>;

export interface Output {
  /** Whether stdout is a terminal. */
  isTerminal: boolean;
  columns: number;
  rows: number;
  colours: Colours;
  /** One line of result. */
  print(line?: string): void;
  /** Many lines in one write: a table has hundreds. */
  lines(lines: readonly string[]): void;
  /** Table rows; a terminal cuts them at its width, so the least important column comes last. */
  table(lines: readonly string[]): void;
  /** Wraps sentences to the width of the terminal; piped text stays as written. */
  inWidth(text: string): string;
  /** A result as it is, without an added line break. */
  write(text: string): void;
  /** One line on stderr: progress, warnings, what was done. */
  note(line: string): void;
  /** A line, or several, that redraw themselves, if stderr is a terminal; null removes them. */
  progress(shown: string | readonly string[] | null): void;
  /** A whole result as JSON, with `"version": 1` first. */
  json(value: object): void;
}

interface Stream {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  write(text: string): unknown;
}

export function openOutput(env: NodeJS.ProcessEnv, stdout: Stream, stderr: Stream): Output {
  const isTerminal = stdout.isTTY === true;
  let drawnLines = 0;
  // Some terminals report a width of 0 columns.
  const columns = stdout.columns || 80;
  const print = (line = "") => void stdout.write(`${line}\n`);
  const printAll = (lines: readonly string[]) => {
    if (lines.length > 0) print(lines.join("\n"));
  };
  return {
    isTerminal,
    columns,
    rows: stdout.rows || 24,
    colours: pico.createColors(isTerminal && !env.NO_COLOR && env.TERM !== "dumb"),
    print,
    lines: printAll,
    inWidth: (text) => (isTerminal ? wrapText(text, columns) : text),
    table: (lines) => printAll(isTerminal ? cutLines(lines, columns) : lines),
    write: (text) => void stdout.write(text),
    note: (line) => void stderr.write(`${line}\n`),
    progress(shown) {
      const lines = cutLines([shown ?? []].flat(), columns);
      if ((lines.length === 0 && drawnLines === 0) || !stderr.isTTY) return;
      stderr.write(redrawn(lines, drawnLines));
      drawnLines = lines.length;
    },
    json: (value) => print(jsonText({ version: 1, ...value }, isTerminal ? 2 : 0)),
  };
}

/** Each line replaces one that was drawn before; then the rest of those is removed. The cursor stays in the last one. */
function redrawn(lines: readonly string[], drawnLines: number): string {
  const up = drawnLines > 1 ? `\u001b[${drawnLines - 1}A` : "";
  const below = drawnLines > Math.max(1, lines.length) ? "\u001b[J" : "";
  return `${up}\r${lines.map((line) => `${line}\u001b[K`).join("\n") || "\u001b[K"}${below}`;
}

export function jsonText(value: unknown, indent = 0): string {
  return harmlessJson(JSON.stringify(value, null, indent));
}

/** Foreign text, safe for a cell or a line; an unknown value is a dash, never an empty cell. */
export function shown(value: string | number | null | undefined): string {
  return value === null || value === undefined || value === "" ? "–" : harmless(String(value));
}

/** A progress bar over bytes, for `progress`. */
export function byteBar(doneBytes: number, totalBytes: number): string {
  const done = Math.floor((20 * doneBytes) / totalBytes);
  const size = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  return `${"█".repeat(done)}${"░".repeat(20 - done)} ${size(doneBytes)} of ${size(totalBytes)}`;
}
