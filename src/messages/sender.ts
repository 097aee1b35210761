// An agent's message names its sender: it begins with `[@role pane] `. A person's message has no prefix.
//
// - The prefix appears exactly once. No line of an agent's text can carry the prefix of another agent.
// - A line that the client would obey is refused from an agent, unless a person allowed it.

import { isCommand } from "../agents/claude/text/command-text.js";
import { HiveError } from "../base/errors.js";
import type { PaneAddress, Role } from "../names/gates.js";

export interface Sender {
  role: Role | null;
  /** Null for an agent that runs in the background. */
  pane: PaneAddress | null;
  /** A person allowed it: `hivemind allow NAME commands`. */
  mayCommand: boolean;
}

/** The text as the other agent gets it. */
export function withSender(text: string, sender: Sender | null): string {
  if (sender === null) return text;
  // One line that the client runs, remembers or sends off instead of reading it.
  if (isCommand(text) || /^[#&][^\n]*$/.test(text)) {
    if (sender.mayCommand) return text;
    throw commandRefusal(sender, `"${text.slice(0, 40)}" is a command`);
  }
  const own = `[@${sender.role ?? "unnamed"} ${sender.pane ?? "background"}] `;
  const said = text.startsWith(own) ? text.slice(own.length) : text;
  return own + said.replace(otherSender, "$1[quoted @");
}

export function commandRefusal(sender: Sender, what: string): HiveError {
  return new HiveError(`refused: ${what}, and agents may not send commands`, {
    hint: `a person can allow it: hivemind allow ${sender.pane ?? "NAME"} commands`,
  });
}

/** At the beginning of any line, after blanks and invisible characters. */
const otherSender = /(^|[\n\u2028\u2029])(?:[\s\p{Cf}]*)\[[\s\p{Cf}]*@/gu;
