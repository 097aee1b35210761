// Compares a message with the draft that Codex's box shows. Pure.

import { limits } from "../../../limits.js";
import { recordedWords } from "../../claude/text/compare.js";

/** How this draft shows the text; null if the draft is different or has more. */
export function shownAs(draft: string, text: string): "whole" | "part" | null {
  const [shown, whole] = [recordedWords(draft), recordedWords(text)];
  if (shown === whole && whole !== "") return "whole";
  if (isPlaceholder(draft, text)) return "part";
  return shown.length >= limits.deliverTailLength && whole.endsWith(shown) ? "part" : null;
}

/** Whether this draft contains the text and something else. */
export function holdsMore(draft: string, text: string): boolean {
  const [shown, whole] = [recordedWords(draft), recordedWords(text)];
  return whole !== "" && shown !== whole && shown.includes(whole);
}

/** The placeholder of a hidden paste counts its characters. */
function isPlaceholder(draft: string, text: string): boolean {
  const count = /^\[Pasted Content (\d+) chars\]$/.exec(draft.replace(/\s+/g, " ").trim())?.[1];
  return count !== undefined && Number(count) === [...text].length;
}
