// How a text goes into Claude Code's input box so that it arrives as what it is: prose as words, a command as itself.
//
// [TH1] Prose that the client would obey gets `> ` before it: `exit`, `/clear` with a second line, a lone `!`.
// [TH2] A blank goes behind a last word that could open a menu, or whose backslash would swallow the Enter.
// [TH3] Characters that nobody sees are left out, and so are skin tones, with which tmux draws a row too long for the
//       client; line and paragraph separators become line breaks.
// [TH4] A path to an image gets a mark behind it: the client would put the image in its place.
// [TH5] A text that the box cannot show whole gets line breaks behind it: then the box shows a placeholder for it.
// [TH6] A text that cannot be shaped is refused: nothing of it is visible, or a command that the box would not show.

import stringWidth from "fast-string-width";
import type { BoxSize, Shaped } from "../agent.js";
import { isCommand, isObeyed, isSlashCommand } from "./command-text.js";
import { recordedWords } from "./compare.js";

export function shapeText(text: string, size: BoxSize): Shaped {
  const words = visible(text).trimEnd();
  if (recordedWords(words).replace(/\p{M}+/gu, "") === "")
    return { refused: "it has no character that can be seen" };
  if (isCommand(words)) return shapeCommand(words, size);
  const prose = isObeyed(words) ? `> ${words.trimStart()}` : words;
  return { text: folded(closed(withoutImages(prose)), size), isCommand: false };
}

function shapeCommand(words: string, size: BoxSize): Shaped {
  if (withoutImages(words) !== words)
    return { refused: "the client would put an image in the place of the path at its end" };
  if (!isShownWhole(words, size))
    return { refused: `a pane of ${size.columns}x${size.rows} does not show a command of that length` };
  // Behind the bare name of a command the client would show what it may be followed by.
  const isBare = isSlashCommand(words) && !words.includes(" ");
  return { text: isBare ? words : closed(words), isCommand: true };
}

/** Joiners stay between letters that need them, and in emoji; the client itself removes the rest, or asks about them. */
function visible(text: string): string {
  return (
    text
      .replace(/[\u2028\u2029]/g, "\n")
      .replace(/(?<=\p{Extended_Pictographic}|\ufe0f)\p{Emoji_Modifier}/gu, "")
      .replace(/(?<![^\x00-\x7f\s])(?:\u200c|\u200d)|(?:\u200c|\u200d)(?![^\x00-\x7f\s])/gu, "")
      .replace(/(?<!\S)\p{Variation_Selector}+/gu, "")
      // The tags behind a black flag make it the flag of a country.
      .replace(/(?<!\u{1f3f4}|[\u{e0020}-\u{e007f}])[\u{e0020}-\u{e007f}]+/gu, "")
      .replace(
        /(?!\u200c|\u200d|\p{Variation_Selector}|[\u{e0020}-\u{e007f}])(?:\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb])/gu,
        "",
      )
  );
}

/** The client looks for absolute paths of images at the ends of lines, and before the next path. */
function withoutImages(text: string): string {
  return text
    .replace(/((?:^|[\s'"])\/[^\n]*?\.(?:png|jpe?g|gif|webp)['"]?)(?= +\/)/gim, "$1,")
    .replace(/((?:^|[\s'"])\/.*\.(?:png|jpe?g|gif|webp)['"]?)[^\S\n]*$/gim, "$1.");
}

/** Plain words open no menu: paths, `@files`, `:emoji:` and `/commands` do, and so does a quotation that is not closed. */
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

/** The client hides a paste with so many line breaks behind a placeholder. */
const foldedBreaks = 3;

function isShownWhole(text: string, { columns, rows }: BoxSize): boolean {
  // Words are wrapped whole: a row is seldom full.
  const rowsOf = (line: string) =>
    Math.max(1, Math.ceil((stringWidth(line) * 1.2) / Math.max(1, columns - 4)));
  const needed = text.split("\n").reduce((sum, line) => sum + rowsOf(line), 0);
  return needed <= (rows < 14 ? 2 : Math.max(3, Math.floor(rows / 2) - 5));
}
