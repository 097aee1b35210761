// Which texts Claude Code runs as commands instead of reading them as prose. Pure.
//
// - A slash command is one line whose first word is a slash and a name. A path is prose.
// - A shell line is one line with something after `!`; the client runs it.
// - A slash command is sent only if the client marks it as known: otherwise its menu could run another command.

import { limits } from "../../../limits.js";
import type { Draft, ShapedText } from "../../box.js";

export function isSlashCommand(text: string): boolean {
  return /^\/[A-Za-z][A-Za-z0-9:_-]*(?: [^\n\t]*)?$/.test(text) && text.length <= limits.slashCommandLength;
}

/** Texts that a person may send as commands; every other text is prose. */
export function isCommand(text: string): boolean {
  return isSlashCommand(text) || /^![^\S\n]*\S[^\n]*$/.test(text);
}

/** A command, or one line that the client remembers (`#`) or sends off (`&`). */
export function isObeyedLine(text: string): boolean {
  return isCommand(text) || /^[#&][^\n]*$/.test(text);
}

/**
 * Whether the client would run this prose as a command. Its parser is laxer than ours and ignores blanks around a
 * text.
 */
export function isObeyed(text: string): boolean {
  const words = text.trim();
  return /^(?:exit|quit|:q!?|:wq!?|!.*|\/[A-Za-z0-9:_-]*(?:\s.*)?)$/s.test(words);
}

/** Why Enter would not send this draft as written, or null. */
export function whyNotEntered({ isKnownCommand }: Draft, { text, isCommand }: ShapedText): string | null {
  if (!isCommand) return isKnownCommand ? "its client would run it as a command" : null;
  if (!text.startsWith("/") || isKnownCommand) return null;
  const [name, argument] = text.split(" ");
  if (isKnownCommand === false) return `its client has no command ${name}`;
  // With an argument after it, no menu can replace the command.
  return argument ? null : `its client shows no colours, so it is unknown whether it has the command ${name}`;
}
