// Text of help in the width of a terminal. Pure.
//
// [WF1] Where a line is wider than the terminal, the text is broken anew at blanks; a line that ends no sentence goes
//       on in the next. Text that fits stays as it was written.
// [WF2] A word is never broken: a path or a command can be copied whole.

import { textWidth } from "../base/table.js";

export function flowed(text: string, columns: number): string {
  const lines = text.split("\n");
  if (lines.every((line) => textWidth(line) <= columns)) return text;
  return paragraphsOf(lines)
    .flatMap((paragraph) => broken(paragraph.split(" "), columns))
    .join("\n");
}

function paragraphsOf(lines: readonly string[]): string[] {
  const paragraphs: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    if (isOpen && line !== "") paragraphs.push(`${paragraphs.pop()} ${line}`);
    else paragraphs.push(line);
    isOpen = line !== "" && !/[.:]$/.test(line);
  }
  return paragraphs;
}

function broken(words: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && textWidth(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
