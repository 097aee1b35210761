// An agent's message names its sender: it begins with `[@role pane] `. A person's message has no prefix.
//
// - The prefix appears exactly once. No line of an agent's text can carry the prefix of another agent.
// - A line that the client would obey is refused from an agent, unless a person allowed it.

import { registryAgent } from "../agents/all.js";
import { HiveError } from "../base/errors.js";
import type { AgentId } from "../names/agent-id.js";
import type { PaneAddress, Role } from "../names/gates.js";
import { type Speaker, somebody } from "./speaker.js";

export interface Sender {
  /** Null for an agent that the roster does not know. */
  agent: AgentId | null;
  role: Role | null;
  /** Null for an agent that runs in the background. */
  pane: PaneAddress | null;
  /** A person allowed it: `hivemind allow NAME commands`. */
  mayCommand: boolean;
}

/** Null: a person, who speaks for themselves. */
export function speakerOf(sender: Sender | null): Speaker {
  if (sender === null) return somebody;
  const { agent, role, pane } = sender;
  return { kind: "agent", agent, name: role ?? pane ?? "background" };
}

/** The text as the other agent gets it. */
export function withSender(text: string, sender: Sender | null): string {
  if (sender === null) return text;
  if (registryAgent.obeys(text)) {
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
