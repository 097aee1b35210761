// Whether two spellings are one message: what was sent, what the input box shows, what the transcript recorded. Pure.
//
// [WC1] The transcript has a message with other blanks, in NFC and without format characters: those do not count.
// [WC2] A box is compared without what a terminal draws differently: blanks, combining marks, and how emoji are joined.

import { limits } from "../../limits.js";

/** The characters by which a message is found again in the transcript. */
export function recordedWords(text: string): string {
  return text.normalize("NFC").replace(/[\s\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, "");
}

/** Part: the box shows a placeholder, or only the end of the text. */
export type Shown = "whole" | "part";

/** How this draft shows that text; null where it shows something else, or more. */
export function shownAs(draft: string, text: string): Shown | null {
  const [shown, whole] = [drawn(draft), drawn(text)];
  if (shown === whole && whole !== "") return "whole";
  if (isPlaceholder(draft, text)) return "part";
  return shown.length >= limits.deliverTailLength && whole.endsWith(shown) ? "part" : null;
}

/** Whether this draft has that text in it, and more. */
export function holdsMore(draft: string, text: string): boolean {
  const [shown, whole] = [drawn(draft), drawn(text)];
  return whole !== "" && shown !== whole && shown.includes(whole);
}

/** The client counts the line breaks of a paste that it hides. */
function isPlaceholder(draft: string, text: string): boolean {
  const found = /^\[Pastedtext#\d+(?:\+(\d+)lines)?\]$/.exec(draft.replace(/\s+/g, ""));
  return found !== null && Number(found[1] ?? 0) === text.split("\n").length - 1;
}

/** tmux cuts long clusters, and the cell widths of client and terminal differ: what is left is sure to be drawn. */
function drawn(text: string): string {
  return recordedWords(text)
    .replace(
      /[\p{Emoji_Presentation}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]/gu,
      "◆",
    )
    .replace(/[\p{M}\ufffd]+/gu, "")
    .replace(/◆+/g, "◆");
}
