// The text of a message, before anybody gets it. Pure.
//
// [TX1] Text that is empty, or that could act as keys, goes into no box.

import { limits } from "../limits.js";

/** Why this text goes into no box, or null. */
export function textRefusal(text: string): string | null {
  if (text.trim() === "") return "it is empty";
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)) return "it has control characters";
  return null;
}

export function excerptOf(text: string): string {
  return text.length > limits.messageExcerpt ? `${text.slice(0, limits.messageExcerpt)}…` : text;
}
