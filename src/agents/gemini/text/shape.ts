// Shapes a text for Gemini CLI's input box so that prose arrives as prose and a command as a command.
//
// - Prose that the client would run or forget gets `> ` before it. So does a path in quotation marks, which the client
//   would replace by a reference to the file.
// - `@` stays: the client adds the contents of a file of that name. No sign before it would vanish from the message.
// - A last word with `@`, or that ends in a backslash, gets a blank after it: Enter would choose from a menu, or begin
//   another line.
// - Control characters and invisible characters are removed. Line and paragraph separators become line breaks.

import type { BoxSize, Shaped } from "../../box.js";
import { recordedWords } from "../../claude/text/compare.js";
import { isCommand, isObeyed } from "./command-text.js";

export function shapeText(text: string, _size: BoxSize): Shaped {
  const words = visible(text).trimEnd();
  if (recordedWords(words).replace(/\p{M}+/gu, "") === "") return { refused: "it has no visible character" };
  return isCommand(words)
    ? { text: words, isCommand: true }
    : { text: closed(asProse(words)), isCommand: false };
}

export function asProse(text: string): string {
  return isObeyed(text) || /^\s*['"][/~]/.test(text) ? `> ${text.trimStart()}` : text;
}

function visible(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/\t/g, "    ")
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, "")
    .replace(/\u200b|\u2060|\ufeff|(?<![^\x00-\x7f\s])(?:\u200c|\u200d)/gu, "");
}

function closed(text: string): string {
  return /(?:@\S*|\\)$/.test(text) ? `${text} ` : text;
}
