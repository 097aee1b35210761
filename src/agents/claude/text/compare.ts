// Compares the spellings of one message: as sent, as shown in the input box, as recorded in the transcript. Pure.
//
// - The transcript records a message in NFC, with other blanks and without format characters: those are ignored.
// - A box is compared without what terminals draw differently: blanks, combining marks, and how emoji are joined.

import { limits } from "../../../limits.js";

/** The characters by which a message is found in the transcript. */
export function recordedWords(text: string): string {
  return text.normalize("NFC").replace(/[\s\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, "");
}

/** Part: the box shows a placeholder, or only the end of the text. */
export type Shown = "whole" | "part";

/** How this draft shows the text; null if the draft is different or has more. */
export function shownAs(draft: string, text: string): Shown | null {
  const [shown, whole] = [drawn(draft), drawn(text)];
  if (shown === whole && whole !== "") return "whole";
  if (isPlaceholder(draft, text)) return "part";
  return shown.length >= limits.deliverTailLength && whole.endsWith(shown) ? "part" : null;
}

/** Whether this draft contains the text and something else. */
export function holdsMore(draft: string, text: string): boolean {
  const [shown, whole] = [drawn(draft), drawn(text)];
  return whole !== "" && shown !== whole && shown.includes(whole);
}

/** The placeholder of a hidden paste counts its line breaks. */
function isPlaceholder(draft: string, text: string): boolean {
  const found = /^\[Pastedtext#\d+(?:\+(\d+)lines)?\]$/.exec(draft.replace(/\s+/g, ""));
  return found !== null && Number(found[1] ?? 0) === text.split("\n").length - 1;
}

/** tmux cuts long clusters, and client and terminal disagree on cell widths. These characters are always drawn. */
function drawn(text: string): string {
  return recordedWords(text)
    .replace(
      /[\p{Emoji_Presentation}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]/gu,
      "◆",
    )
    .replace(/[\p{M}\ufffd]+/gu, "")
    .replace(/◆+/g, "◆");
}
