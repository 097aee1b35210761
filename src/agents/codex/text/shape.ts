// Shapes a text for Codex's input box so that prose arrives as prose and a command as a command.
//
// - Prose that the client would run (`/clear` with a second line, `!`) gets `> ` before it.
// - A last word that opens a menu (`@file`, `$skill`) gets a blank after it: Enter would choose from the menu.
// - The box shows a placeholder for a paste of more than 1,000 characters, and the end of one with many lines.

import type { Shaped } from "../../box.js";
import { recordedWords } from "../../claude/text/compare.js";
import { isCommand, isObeyed } from "./command-text.js";

export function shapeText(text: string): Shaped {
  const words = text.replace(/[\u2028\u2029]/g, "\n").trimEnd();
  if (recordedWords(words) === "") return { refused: "it has no visible character" };
  if (isCommand(words)) return { text: words, isCommand: true };
  const prose = isObeyed(words) ? `> ${words.trimStart()}` : words;
  return { text: /(?:^|\s)[@$]\S*$/.test(prose) ? `${prose} ` : prose, isCommand: false };
}
