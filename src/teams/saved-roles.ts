// The names of agents whose snapshot is older than their rows. Pure.
//
// [SRL1] An agent that was renamed behind its snapshot has its later name, told by its session.
// [SRL2] Where two of a team would have one name then, all have those that they were saved with.

import type { Role, SessionId } from "../names/gates.js";
import type { RoleRow } from "../stores/roles.js";
import type { SessionRow } from "../stores/sessions.js";
import type { SnapshotRow } from "../stores/snapshot-text.js";

export function laterNames(rows: readonly SnapshotRow[], stored: ReadonlyMap<SessionId, Role>) {
  const named = rows.map((row) => ({ ...row, role: stored.get(row.uuid!) ?? row.role }));
  const roles = named.flatMap(({ role }) => role ?? []);
  return new Set(roles).size === roles.length ? named : [...rows];
}

/** Which role each session has. One that two rows name has none. */
export function rolesBySession(
  roles: readonly RoleRow[],
  sessions: readonly SessionRow[],
): ReadonlyMap<SessionId, Role> {
  const roleAt = new Map(roles.map(({ pane, role }) => [pane, role]));
  const isOnly = ({ uuid }: SessionRow) => sessions.filter((row) => row.uuid === uuid).length === 1;
  return new Map(
    sessions.filter(isOnly).flatMap(({ pane, uuid }) => {
      const role = roleAt.get(pane);
      return role === undefined ? [] : [[uuid, role] as const];
    }),
  );
}
