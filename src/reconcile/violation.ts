// A violation and its repair step, as data: the audit and the dry run print them.

import type { FoundAgent } from "../fleet/roster/refresh.js";
import type { AgentId } from "../names/agent-id.js";
import type { PaneAddress, TeamName } from "../names/gates.js";
import type { ForkRow } from "../stores/forks.js";

/** Worst first. */
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
  /** The right value; null if there should be none. */
  expected: string | null;
  actual: string | null;
  /** The team whose lock the repair needs; null if no team is involved. */
  team: TeamName | null;
}

/** What a detector finds; the rest comes from its invariant. */
export type Finding = Pick<Violation, "store" | "op" | "key" | "expected" | "actual" | "team">;

export type Step =
  /** One change of the roster, with what a refresh found in that pane and its S5 rows. */
  | { do: "change"; found: readonly FoundAgent[]; forkRows: readonly ForkRow[] }
  | { do: "remove team"; team: TeamName }
  | { do: "bury queue"; owner: AgentId | PaneAddress }
  | { do: "remove window"; team: TeamName };

/** If these are equal, two looks saw the same violation. */
export function identityOf({ invariant, op, store, key, expected, actual }: Violation): string {
  return JSON.stringify([invariant, op, store, key, expected, actual]);
}
