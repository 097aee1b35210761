// Which door a message takes: who speaks decides, then what the agent offers. Pure; docs/doors.md shows the table.
//
// [DR1] An agent's words go into the inbox if its receiver has one. They are typed only if it has none.
// [DR2] A person's words are typed, because only typed words count as the user's own. With `--now` they go into the
//       inbox, as a colleague's.
// [DR4] An inbox whose words count as the user's own also takes a person's words. They are typed only while the agent
//       listens and its inbox has nothing before them: that is faster.
// [DR3] What the client obeys, and keys, are typed. They never go into an inbox.

import type { DoorName, InboxPlace } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import type { FleetPane } from "../fleet/panes.js";
import type { QueueRow } from "../stores/queue/queue-rows.js";
import { keyOf } from "./dialog/press-key.js";
import type { Speaker } from "./speaker.js";
import { inboxStance, type PaneView, type Say, type Stance, stanceOf } from "./stance.js";

type Receiver = Pick<FleetPane, "kind" | "live">;

export function doorFor(
  speaker: Speaker,
  { intent, text }: Pick<QueueRow, "intent" | "text">,
  pane: Receiver,
  { isListening = false } = {},
): DoorName | { refused: string } {
  const isNow = speaker.kind === "person" && speaker.isNow;
  if (keyOf(intent) !== null || agentOfKind(pane.kind)?.keyboard?.obeys(text) === true)
    return isNow ? { refused: "--now takes words only, and the client would obey this" } : "keys";
  const { inbox, keyboard } = agentOfKind(pane.kind) ?? {};
  const isTyped = keyboard !== undefined && (isListening || inbox?.isUsersWord !== true);
  if (speaker.kind === "person" && !isNow && isTyped) return "keys";
  if (inboxOf(pane) !== null) return "inbox";
  return isNow ? { refused: "its client has no inbox" } : "keys";
}

/** Where the agent takes messages; null if its client offers no inbox. */
export function inboxOf({ kind, live }: Receiver): InboxPlace | null {
  const hasDoor = agentOfKind(kind)?.inbox !== undefined;
  return (hasDoor && live?.inbox) || null;
}

/** How ready the agent is for a message through this door. */
export function stanceAt(door: DoorName, seen: PaneView, say: Say): Stance {
  return door === "inbox" ? inboxStance(seen, say) : stanceOf(seen, say);
}
