// What is wrong with a file, and where.

import { harmless } from "../base/harmless.js";
import { nearest } from "./nearest.js";

/** Both from 1, as editors count. */
export interface Place {
  line: number;
  column: number;
}

export const start: Place = { line: 1, column: 1 };

export interface Problem extends Place {
  message: string;
}

/** As compilers say it, so that editors and terminals can jump there. */
export function problemLine(path: string, { line, column, message }: Problem): string {
  return `${path}:${line}:${column}: ${message}`;
}

/** From top to bottom, each once: what an alias stands for is read once for each. */
export function inOrder(problems: readonly Problem[]): Problem[] {
  const once = new Map(problems.map((problem) => [problemLine("", problem), problem]));
  return [...once.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}

/** Somebody's words in a message, whatever stands in them. */
export function quoted(text: string): string {
  return `\`${harmless(text.length > 80 ? `${text.slice(0, 80)}…` : text)}\``;
}

/** What may have been meant, as the end of a sentence. */
export function meant(word: string, choices: readonly string[], otherwise: string): string {
  const near = nearest(word, choices);
  return near === null ? otherwise : `did you mean \`${near}\`?`;
}
