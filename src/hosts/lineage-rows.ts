// The rows of S5 that travel with sessions: the sessions and their ancestors. Pure.
//
// - A session travels with the rows of all its ancestors; of equal rows only the first travels.
// - An arrived row has no pane: an address of another host would be taken for one of this host.
// - A row that is known here is not written again.

import type { SessionId } from "../names/gates.js";
import type { ForkRow } from "../stores/forks.js";

/** Calls `scan` twice, because S5 may be too long to hold in memory. */
export function travellingRows(scan: () => Iterable<ForkRow>, sessions: Iterable<SessionId>): ForkRow[] {
  const parents = new Map<SessionId, Set<SessionId>>();
  for (const { uuid, parent } of scan()) {
    if (uuid === null || parent === null) continue;
    parents.set(uuid, (parents.get(uuid) ?? new Set()).add(parent));
  }
  const wanted = new Set(sessions);
  // The set grows while it is walked, so ancestors of ancestors are included.
  for (const session of wanted) for (const parent of parents.get(session) ?? []) wanted.add(parent);
  const travelling = new Map<string, ForkRow>();
  for (const row of scan()) {
    if (row.uuid !== null && wanted.has(row.uuid) && !travelling.has(saying(row)))
      travelling.set(saying(row), row);
  }
  return [...travelling.values()];
}

export type Parents = ReadonlyMap<SessionId, SessionId>;

/** From the last row that has a parent. */
export function parentsIn(rows: Iterable<ForkRow>): Parents {
  const parents = new Map<SessionId, SessionId>();
  for (const { uuid, parent } of rows) if (uuid !== null && parent !== null) parents.set(uuid, parent);
  return parents;
}

export function newRows(arrived: readonly ForkRow[], known: Iterable<ForkRow>): ForkRow[] {
  const seen = new Set<string>();
  for (const row of known) seen.add(saying(row));
  return arrived.filter((row) => !seen.has(saying(row))).map((row) => ({ ...row, pane: null }));
}

function saying({ uuid, state, parent }: ForkRow): string {
  return `${uuid} ${state} ${parent}`;
}
