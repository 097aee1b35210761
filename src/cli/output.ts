// The only way to a person's terminal. Results go to stdout, everything said beside them to stderr.

import pico from "picocolors";
import { harmless, harmlessJson } from "../base/harmless.js";
import { cutLines } from "../base/table.js";
import { flowed } from "./flowed.js";

export type Colours = ReturnType<typeof pico.createColors>;

export interface Output {
  /** Whether a person looks at stdout. */
  isTerminal: boolean;
  columns: number;
  colours: Colours;
  /** One line of result. */
  print(line?: string): void;
  /** Several, written at once: a table has hundreds. */
  lines(lines: readonly string[]): void;
  /** Rows that end in what can be missed: at a terminal no wider than that. */
  table(lines: readonly string[]): void;
  /** Sentences, at a terminal broken at blanks; what is piped is as it was written: whoever reads it has no width. */
  inWidth(text: string): string;
  /** Result as it is, without a line break of ours. */
  write(text: string): void;
  /** One line beside the result: progress, warnings, what was done. */
  note(line: string): void;
  /** One line that is drawn over itself, where a person looks at stderr; null takes it away. */
  progress(line: string | null): void;
  /** A whole result for programs: `"version": 1` first. */
  json(value: object): void;
}

interface Stream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

export function openOutput(env: NodeJS.ProcessEnv, stdout: Stream, stderr: Stream): Output {
  const isTerminal = stdout.isTTY === true;
  let isProgressing = false;
  // Some terminals call themselves 0 columns wide.
  const columns = stdout.columns || 80;
  const print = (line = "") => void stdout.write(`${line}\n`);
  const printAll = (lines: readonly string[]) => {
    if (lines.length > 0) print(lines.join("\n"));
  };
  return {
    isTerminal,
    columns,
    colours: pico.createColors(isTerminal && !env.NO_COLOR && env.TERM !== "dumb"),
    print,
    lines: printAll,
    inWidth: (text) => (isTerminal ? flowed(text, columns) : text),
    table: (lines) => printAll(isTerminal ? cutLines(lines, columns) : lines),
    write: (text) => void stdout.write(text),
    note: (line) => void stderr.write(`${line}\n`),
    progress(line) {
      if (!stderr.isTTY || (line === null && !isProgressing)) return;
      stderr.write(`\r${line ?? ""}\u001b[K`);
      isProgressing = line !== null;
    },
    json: (value) => print(jsonText({ version: 1, ...value }, isTerminal ? 2 : 0)),
  };
}

export function jsonText(value: unknown, indent = 0): string {
  return harmlessJson(JSON.stringify(value, null, indent));
}

/** Foreign text for a cell or a line; an unknown value is a dash, never an empty hole. */
export function shown(value: string | number | null | undefined): string {
  return value === null || value === undefined || value === "" ? "–" : harmless(String(value));
}
