// Compares the spellings of one message: as sent, as shown in the input box, as recorded. Pure.
//
// - A box wraps long lines, so blanks are ignored.
// - A paste of more than five lines or 500 characters is shown as a placeholder that counts one of the two.

import { limits } from "../../../limits.js";
import { recordedWords } from "../../claude/text/compare.js";

/** How this draft shows the text; null if the draft is different or has more. */
export function shownAs(draft: string, text: string): "whole" | "part" | null {
  const [shown, whole] = [drawn(draft), drawn(text)];
  if (shown === whole && whole !== "") return "whole";
  if (draft.trim() === placeholderOf(text)) return "part";
  return shown.length >= limits.deliverTailLength && whole.endsWith(shown) ? "part" : null;
}

/** Whether this draft contains the text and something else. */
export function holdsMore(draft: string, text: string): boolean {
  const [shown, whole] = [drawn(draft), drawn(text)];
  return whole !== "" && shown !== whole && shown.includes(whole);
}

const foldedLines = 5;
const foldedLength = 500;

/** Null for a text that the box shows as it is. */
export function placeholderOf(text: string): string | null {
  const lines = text.split("\n").length;
  if (lines > foldedLines) return `[Pasted Text: ${lines} lines]`;
  return text.length > foldedLength ? `[Pasted Text: ${text.length} chars]` : null;
}

/** Client and terminal disagree on how emoji and combining marks are drawn. */
function drawn(text: string): string {
  return recordedWords(text)
    .replace(/[\p{Emoji_Presentation}\p{Extended_Pictographic}\p{Emoji_Modifier}]/gu, "◆")
    .replace(/[\p{M}\ufffd]+/gu, "")
    .replace(/◆+/g, "◆");
}
