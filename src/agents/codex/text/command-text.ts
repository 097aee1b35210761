// Which texts Codex runs as commands instead of reading them as prose, when they are typed. Pure.
//
// - A slash command runs if the first line begins with it, whatever follows in other lines.
// - `!` at the beginning switches the box to shell lines.
// - Text from the queue is always prose.

import type { Draft, ShapedText } from "../../box.js";

export function isSlashCommand(text: string): boolean {
  return /^\/[a-z][a-z0-9-]*(?: [^\n\t]*)?$/.test(text);
}

/** Texts that a person may send as commands; every other text is prose. */
export function isCommand(text: string): boolean {
  return isSlashCommand(text) || /^![^\S\n]*\S[^\n]*$/.test(text);
}

/** Whether the client would run this text, or a part of it, as a command. */
export function isObeyed(text: string): boolean {
  return /^\s*(?:!|\/[A-Za-z])/.test(text);
}

/** Why Enter would not send this draft as written, or null. */
export function whyNotEntered({ isKnownCommand }: Draft, { text, isCommand }: ShapedText): string | null {
  if (!isCommand || !text.startsWith("/")) return null;
  return isKnownCommand === false ? `its client has no command ${text.split(" ")[0]}` : null;
}
