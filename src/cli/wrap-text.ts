// Wraps help text to the width of the terminal. Pure.
//
// - Text that fits is left as written. Otherwise it is wrapped at spaces.
// - Lines that end in the middle of a sentence are joined before wrapping.
// - A word is never broken, so that paths and commands can be copied.

import { textWidth } from "../base/text/table.js";

export function wrapText(text: string, columns: number): string {
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
