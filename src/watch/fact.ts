// What the loop has to tell: what agents do, what was recorded, what it did itself. Plain values; faces put them in words.

import type { HiveEvent } from "../events/event.js";
import type { PaneId, Role } from "../names/gates.js";

export type Fact = AgentFact | { kind: "event"; event: HiveEvent } | { kind: LoopKind; text: string };

/** What a person is told of, by a program or a bell. */
export const agentFactKinds = ["waiting", "limited", "crashed", "ended"] as const;

export interface AgentFact {
  kind: (typeof agentFactKinds)[number];
  /** Where it stood when it was last seen: foreign text, for a tmux session may have any name. */
  pane: string;
  paneId: PaneId;
  team: string;
  role: Role | null;
  /** What it waits for, which limit it hit, how it ended. */
  about: string | null;
  /** When a limit ends. */
  untilMs: number | null;
}

/** `trouble` is said once, and `well` when it is over. */
export type LoopKind =
  | "began"
  | "saved"
  | "unsaved"
  | "sent"
  | "healed"
  | "repaired"
  | "sized"
  | "server"
  | "trouble"
  | "well";

export function isAgentFact(fact: Fact): fact is AgentFact {
  return (agentFactKinds as readonly string[]).includes(fact.kind);
}
