// The text of a message, before anybody gets it. Pure.
//
// [TX1] Text that is empty, or that could act as keys or swallow the Enter behind it, goes into no box.
// [TX2] A slash command is one line whose first word is a slash and a name: a path is prose.
// [TX3] A shell line is one line behind `!`, which the client runs.

import { limits } from "../limits.js";

/** Why this text goes into no box, or null. */
export function textRefusal(text: string): string | null {
  if (text.trim() === "") return "it is empty";
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)) return "it has control characters";
  // The client takes a backslash before Enter for "go on in the next line".
  if (text.trimEnd().endsWith("\\")) return "it ends in a backslash, behind which Enter is only a new line";
  return null;
}

export function isSlashCommand(text: string): boolean {
  return /^\/[A-Za-z][A-Za-z0-9:_-]*(?: [^\n\t]*)?$/.test(text) && text.length <= limits.slashCommandLength;
}

/** What the client takes for a command of its own, not for words to its agent. */
export function isCommand(text: string): boolean {
  return isSlashCommand(text) || /^![^\n]*$/.test(text);
}

export function excerptOf(text: string): string {
  return text.length > limits.messageExcerpt ? `${text.slice(0, limits.messageExcerpt)}…` : text;
}
