// Which texts Claude Code obeys instead of reading them as words. Pure.
//
// [TX2] A slash command is one line whose first word is a slash and a name: a path is prose.
// [TX3] A shell line is one line with something behind `!`, which the client runs.
// [TX4] A slash command is entered only if the client marks it as one that it knows: from a menu it would run another.

import { limits } from "../../limits.js";
import type { Draft, ShapedText } from "../agent.js";

export function isSlashCommand(text: string): boolean {
  return /^\/[A-Za-z][A-Za-z0-9:_-]*(?: [^\n\t]*)?$/.test(text) && text.length <= limits.slashCommandLength;
}

/** A person may send these as commands; every other text is prose. */
export function isCommand(text: string): boolean {
  return isSlashCommand(text) || /^![^\S\n]*\S[^\n]*$/.test(text);
}

/** Whether the client would obey this prose: its own parser is laxer than ours, and ignores blanks around a text. */
export function isObeyed(text: string): boolean {
  const words = text.trim();
  return /^(?:exit|quit|:q!?|:wq!?|!.*|\/[A-Za-z0-9:_-]*(?:\s.*)?)$/s.test(words);
}

/** Why Enter would make something else of this draft than its text says, or null. */
export function whyNotEntered({ isKnownCommand }: Draft, { text, isCommand }: ShapedText): string | null {
  if (!isCommand) return isKnownCommand ? "its client would run it as a command" : null;
  if (!text.startsWith("/") || isKnownCommand) return null;
  const [name, argument] = text.split(" ");
  if (isKnownCommand === false) return `its client knows no command ${name}`;
  // With an argument behind it no menu can put another command in its place.
  return argument ? null : `its client shows no colours, which tell whether it knows the command ${name}`;
}
