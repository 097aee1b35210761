// What the watcher reports: agents, events, and its own steps. Plain values; each face words them.

import type { HiveEvent } from "../events/event.js";
import type { PaneId, Role } from "../names/gates.js";

export type Fact = AgentFact | { kind: "event"; event: HiveEvent } | { kind: LoopKind; text: string };

/** The facts that ring the bell and run the program of --notify. */
export const agentFactKinds = ["waiting", "limited", "crashed", "ended"] as const;

export interface AgentFact {
  kind: (typeof agentFactKinds)[number];
  /** The last known address: foreign text, because a tmux session may have any name. */
  pane: string;
  paneId: PaneId;
  team: string;
  role: Role | null;
  /** What it waits for, which limit it hit, how it ended. */
  about: string | null;
  /** When a limit ends. */
  untilMs: number | null;
}

/** `trouble` is reported once, and `well` when it is over. */
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
