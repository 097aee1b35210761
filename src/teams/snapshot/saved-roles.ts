// The names of agents whose snapshot is older than the roster. Pure.
//
// An agent that was renamed after its snapshot gets its new name, matched by its id, else by its session. If two
// agents of the team would then share a name, all keep their saved names.

import type { AgentRow } from "../../stores/text/roster-rows.js";
import type { SnapshotRow } from "../../stores/text/snapshot-text.js";

/** `agents` are those of the team. */
export function laterNames(rows: readonly SnapshotRow[], agents: readonly AgentRow[]): SnapshotRow[] {
  const known = ({ agent, uuid }: SnapshotRow) =>
    agents.find(({ id, session }) => id === agent && session === uuid) ??
    agents.find(({ session }) => session !== null && session === uuid);
  const named = rows.map((row) => ({ ...row, role: known(row)?.role ?? row.role }));
  const roles = named.flatMap(({ role }) => role ?? []);
  return new Set(roles).size === roles.length ? named : [...rows];
}
