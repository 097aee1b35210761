// Problems of a file: what, where, and which word was probably meant.
//
// A word is suggested if it is at most two typing errors away and less than half of it is wrong. Case, dashes and
// underscores do not count.

import { harmless } from "../base/text/escape-terminal.js";

/** Both count from 1, as in editors. */
export interface Place {
  line: number;
  column: number;
}

export const start: Place = { line: 1, column: 1 };

export interface Problem extends Place {
  message: string;
}

/** In the compilers' form, so that editors and terminals can jump there. */
export function problemLine(path: string, { line, column, message }: Problem): string {
  return `${path}:${line}:${column}: ${message}`;
}

/** From top to bottom, without duplicates: the target of an alias is read once per alias. */
export function inOrder(problems: readonly Problem[]): Problem[] {
  const once = new Map(problems.map((problem) => [problemLine("", problem), problem]));
  return [...once.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}

/** Quotes a user's text in a message and escapes it for the terminal. */
export function quoted(text: string): string {
  return `\`${harmless(text.length > 80 ? `${text.slice(0, 80)}…` : text)}\``;
}

/** A suggestion, as the end of a sentence. */
export function meant(word: string, choices: readonly string[], otherwise: string): string {
  const near = nearest(word, choices);
  return near === null ? otherwise : `did you mean \`${near}\`?`;
}

/** The nearest choice, the first of equals. Null if nothing is near. */
export function nearest(word: string, choices: readonly string[]): string | null {
  const ranked = choices
    .map((choice) => ({ choice, away: distance(plain(word), plain(choice)) }))
    .filter(({ choice, away }) => away <= 2 && away * 2 < plain(choice).length)
    .sort((a, b) => a.away - b.away);
  return ranked[0]?.choice ?? null;
}

function plain(word: string): string {
  // No near word is longer than this, and the time grows with the square.
  return word.slice(0, 100).toLowerCase().replace(/[-_]/g, "");
}

/** Counts insertions, deletions, replacements, and swapped neighbours. */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row++) {
    const now = [row];
    for (let at = 1; at <= to.length; at++) {
      const isSame = from[row - 1] === to[at - 1];
      const isSwapped = row > 1 && at > 1 && from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1];
      now[at] = Math.min(
        last[at]! + 1,
        now[at - 1]! + 1,
        last[at - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[at - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, now];
  }
  return last[to.length]!;
}
