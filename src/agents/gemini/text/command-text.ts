// Which texts Gemini CLI runs as commands instead of reading them as prose. Pure.
//
// - A text that begins with `/` is a command if its first word is a command's name, whatever lines follow. Otherwise the
//   model gets it. `//` and `/*` begin prose.
// - The client forgets messages that begin with `/` or `?` when it resumes a conversation, even those that the model
//   got.
// - `!` switches to the shell as a key at an empty box, never in a paste.
// - A command leaves no record in the conversation. The client's log of inputs has it.

import { limits } from "../../../limits.js";
import type { Draft, ShapedText } from "../../box.js";

/** Texts that a person may send as commands; every other text is prose. */
export function isCommand(text: string): boolean {
  return /^\/[A-Za-z][A-Za-z0-9:_-]*(?: [^\n\t]*)?$/.test(text) && text.length <= limits.slashCommandLength;
}

/** Whether the client may run this text: its first word could be a command's name. */
export function mayRun(text: string): boolean {
  return /^\s*\/[A-Za-z][A-Za-z0-9:_-]*(?:\s|$)/.test(text);
}

/** Whether the client would run this prose, or forget it. It ignores blanks around a text. */
export function isObeyed(text: string): boolean {
  return /^\s*[/?]/.test(text);
}

/** Why Enter would not send this draft as written, or null. */
export function whyNotEntered({ isKnownCommand }: Draft, { text, isCommand }: ShapedText): string | null {
  if (!isCommand) return null;
  const [name, argument] = text.split(" ");
  // With an argument after it, the menu offers nothing that Enter could choose instead.
  return isKnownCommand === true || argument ? null : `its client has no command ${name}`;
}
