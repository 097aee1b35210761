// The rows of S5 that travel with sessions: who they are, and whom they come from. Pure.
//
// [LRW1] With a session go the rows of all its ancestors; of many rows that say the same, the first.
// [LRW2] Where they arrive they name no pane: an address of another host would be taken for one of this.
// [LRW3] What is known here already is not written again.

import type { SessionId } from "../names/gates.js";
import type { ForkRow } from "../stores/forks.js";

/** `scan` is asked twice: S5 may be too long to be held. */
export function travellingRows(scan: () => Iterable<ForkRow>, sessions: Iterable<SessionId>): ForkRow[] {
  const parents = new Map<SessionId, Set<SessionId>>();
  for (const { uuid, parent } of scan()) {
    if (uuid === null || parent === null) continue;
    parents.set(uuid, (parents.get(uuid) ?? new Set()).add(parent));
  }
  const wanted = new Set(sessions);
  // A set that grows while it is walked: ancestors of ancestors too.
  for (const session of wanted) for (const parent of parents.get(session) ?? []) wanted.add(parent);
  const travelling = new Map<string, ForkRow>();
  for (const row of scan()) {
    if (row.uuid !== null && wanted.has(row.uuid) && !travelling.has(saying(row)))
      travelling.set(saying(row), row);
  }
  return [...travelling.values()];
}

export type Parents = ReadonlyMap<SessionId, SessionId>;

/** By the last row that knows one. */
export function parentsIn(rows: Iterable<ForkRow>): Parents {
  const parents = new Map<SessionId, SessionId>();
  for (const { uuid, parent } of rows) if (uuid !== null && parent !== null) parents.set(uuid, parent);
  return parents;
}

export function newRows(arrived: readonly ForkRow[], known: Iterable<ForkRow>): ForkRow[] {
  const said = new Set<string>();
  for (const row of known) said.add(saying(row));
  return arrived.filter((row) => !said.has(saying(row))).map((row) => ({ ...row, pane: null }));
}

function saying({ uuid, state, parent }: ForkRow): string {
  return `${uuid} ${state} ${parent}`;
}
