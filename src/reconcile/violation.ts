// A violation and the step that would repair it, as data: printed they are the audit and the dry run.

import type { HiveEvent } from "../events/event.js";
import type { PaneAddress, TeamName } from "../names/gates.js";
import type { ForkRow } from "../stores/forks.js";

/** The worst first. */
export const severities = ["critical", "high", "medium", "low"] as const;
export type Severity = (typeof severities)[number];

export type InvariantId = `I${number}`;

/** `report`: only a person can repair it, or nothing may be done here. */
export type Op = "add" | "update" | "remove" | "report";

export interface Violation {
  severity: Severity;
  invariant: InvariantId;
  store: string;
  op: Op;
  key: string;
  /** What should stand there; null for nothing. */
  expected: string | null;
  actual: string | null;
  /** Whose lock is needed to repair it. */
  team: TeamName | null;
}

/** What a detector finds; its invariant says the rest. */
export type Finding = Pick<Violation, "store" | "op" | "key" | "expected" | "actual" | "team">;

export type Step =
  /** What a refresh does for one pane, with its rows of S5. */
  | { do: "follow"; events: readonly HiveEvent[]; forkRows: readonly ForkRow[] }
  | { do: "emit"; event: HiveEvent }
  | { do: "bury queue"; pane: PaneAddress }
  | { do: "discard queue"; pane: PaneAddress }
  | { do: "remove window"; team: TeamName };

/** Two looks saw the same thing wrong when these are equal. */
export function identityOf({ invariant, op, store, key, expected, actual }: Violation): string {
  return JSON.stringify([invariant, op, store, key, expected, actual]);
}
