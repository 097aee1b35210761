// An agent's message names its sender: it begins with `[@role pane] `. A person's message has no prefix.
//
// - The prefix appears exactly once. No line of an agent's text can carry the prefix of another agent.
// - A line that the client would obey is refused from an agent, unless a person allowed it.

import { isObeyed } from "../agents/all.js";
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
  if (isObeyed(text)) {
    if (sender.mayCommand) return text;
    throw commandRefusal(sender, `"${text.slice(0, 40)}" is a command`);
  }
  return prefixed(`[@${sender.role ?? "unnamed"} ${sender.pane ?? "background"}] `, text);
}

/** The text of somebody on another host, `role@host` or `person@host`. Nobody there can send a command. */
export function withFarSender(text: string, name: string, pane: PaneAddress | null): string {
  if (isObeyed(text))
    throw new HiveError(`refused: "${text.slice(0, 40)}" is a command, and it comes from another host`, {
      hint: "on the agent's own host a person can allow it: hivemind fleet allow user --from HOST",
    });
  return prefixed(pane === null ? `[@${name}] ` : `[@${name} ${pane}] `, text);
}

function prefixed(own: string, text: string): string {
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
