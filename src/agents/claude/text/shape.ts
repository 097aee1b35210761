// Shapes a text for Claude Code's input box so that prose arrives as prose and a command as a command.
//
// - Prose that the client would run as a command (`exit`, `/clear` with a second line, a lone `!`) gets `> ` before
//   it.
// - A last word that could open a menu, or that ends in a backslash, gets a blank after it: a backslash would
//   swallow the Enter.
// - Invisible characters are removed. So are skin tones, with which tmux draws a row too long for the client. Line
//   and paragraph separators become line breaks.
// - A path to an image gets a mark after it: the client would replace the path by the image.
// - A text too long for the box gets line breaks at its end, so that the box shows a placeholder.
// - A text with nothing visible, or a command too long for the box, is refused.

import stringWidth from "fast-string-width";
import type { BoxSize, Shaped } from "../../box.js";
import { isCommand, isObeyed, isSlashCommand } from "./command-text.js";
import { recordedWords } from "./compare.js";

export function shapeText(text: string, size: BoxSize): Shaped {
  const words = visible(text).trimEnd();
  if (recordedWords(words).replace(/\p{M}+/gu, "") === "") return { refused: "it has no visible character" };
  if (isCommand(words)) return shapeCommand(words, size);
  const prose = isObeyed(words) ? `> ${words.trimStart()}` : words;
  return { text: folded(closed(withoutImages(prose)), size), isCommand: false };
}

function shapeCommand(words: string, size: BoxSize): Shaped {
  if (withoutImages(words) !== words)
    return { refused: "the client would replace the path at its end by an image" };
  if (!isShownWhole(words, size))
    return { refused: `a command of that length does not fit in a pane of ${size.columns}x${size.rows}` };
  // A blank after a bare command name would open the menu of its arguments.
  const isBare = isSlashCommand(words) && !words.includes(" ");
  return { text: isBare ? words : closed(words), isCommand: true };
}

/** Joiners stay in emoji and between letters that need them. The client removes all others, or asks about them. */
function visible(text: string): string {
  return (
    text
      .replace(/[\u2028\u2029]/g, "\n")
      .replace(/(?<=\p{Extended_Pictographic}|\ufe0f)\p{Emoji_Modifier}/gu, "")
      .replace(/(?<![^\x00-\x7f\s])(?:\u200c|\u200d)|(?:\u200c|\u200d)(?![^\x00-\x7f\s])/gu, "")
      .replace(/(?<!\S)\p{Variation_Selector}+/gu, "")
      // The tags after a black flag make it the flag of a country.
      .replace(/(?<!\u{1f3f4}|[\u{e0020}-\u{e007f}])[\u{e0020}-\u{e007f}]+/gu, "")
      .replace(
        /(?!\u200c|\u200d|\p{Variation_Selector}|[\u{e0020}-\u{e007f}])(?:\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb])/gu,
        "",
      )
  );
}

/** The client looks for absolute image paths at line ends and before another path. */
function withoutImages(text: string): string {
  return text
    .replace(/((?:^|[\s'"])\/[^\n]*?\.(?:png|jpe?g|gif|webp)['"]?)(?= +\/)/gim, "$1,")
    .replace(/((?:^|[\s'"])\/.*\.(?:png|jpe?g|gif|webp)['"]?)[^\S\n]*$/gim, "$1.");
}

/** Plain words open no menu. Paths, `@files`, `:emoji:`, `/commands` and an unclosed quotation do. */
function closed(text: string): string {
  const isPlain = /(?:^|\s)[([{<"'“„]*(?:[\p{L}\p{M}\p{N}'’_-]|\u200c|\u200d)+[.,;!?)\]}>'"…。！？]*$/u.test(
    text,
  );
  return isPlain && !/@"[^"\n]*$/.test(text) ? text : `${text} `;
}

function folded(text: string, size: BoxSize): string {
  const breaks = text.split("\n").length - 1;
  if (breaks >= foldedBreaks || isShownWhole(text, size)) return text;
  return text + "\n".repeat(foldedBreaks - breaks);
}

/** The client replaces a paste with this many line breaks by a placeholder. */
const foldedBreaks = 3;

function isShownWhole(text: string, { columns, rows }: BoxSize): boolean {
  // Words wrap whole, so a row is seldom full.
  const rowsOf = (line: string) =>
    Math.max(1, Math.ceil((stringWidth(line) * 1.2) / Math.max(1, columns - 4)));
  const needed = text.split("\n").reduce((sum, line) => sum + rowsOf(line), 0);
  return needed <= (rows < 14 ? 2 : Math.max(3, Math.floor(rows / 2) - 5));
}
