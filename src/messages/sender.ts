// An agent's message names its sender: `[@role pane] ` stands before it. What a person says carries nothing.
//
// [MW1] Prose of an agent carries its own name, once. No text of an agent begins with, or has a line with, another's.
// [MW2] A line that the client would obey is refused from an agent, unless a person allowed it.

import { isCommand } from "../agents/claude/command-text.js";
import { HiveError } from "../base/errors.js";
import type { PaneAddress, Role } from "../names/gates.js";

export interface Sender {
  role: Role | null;
  /** Null for an agent that runs in the background. */
  pane: PaneAddress | null;
  /** A person said so: `hivemind allow NAME commands`. */
  mayCommand: boolean;
}

/** The words as the other agent gets them. */
export function withSender(text: string, sender: Sender | null): string {
  if (sender === null) return text;
  if (isCommandLine(text)) {
    if (sender.mayCommand) return text;
    throw commandRefusal(sender, `"${text.slice(0, 40)}" is a command`);
  }
  const own = `[@${nameOf(sender)} ${sender.pane ?? "background"}] `;
  const said = text.startsWith(own) ? text.slice(own.length) : text;
  return own + said.replace(otherSender, "$1[quoted @");
}

export function commandRefusal(sender: Sender, what: string): HiveError {
  return new HiveError(`refused: ${what}, and an agent may send none`, {
    hint: `a person can allow it: hivemind allow ${sender.pane ?? "NAME"} commands`,
  });
}

/** One line that the client runs, remembers or sends off instead of reading it. */
function isCommandLine(text: string): boolean {
  return isCommand(text) || /^[#&][^\n]*$/.test(text);
}

/** At the beginning of any line, behind whatever the eye takes for nothing. */
const otherSender = /(^|[\n\u2028\u2029])(?:[\s\p{Cf}]*)\[[\s\p{Cf}]*@/gu;

function nameOf({ role }: Sender): string {
  return role ?? "unnamed";
}
