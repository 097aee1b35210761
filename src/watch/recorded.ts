// What S5 has already, so that the watcher adds only new rows.
//
// A row is new when the last row of its pane has another session or parent, or when the session broke or was mended since.
// An unknown session or parent is no change. The file is read only when it has changed.

import { statSync } from "node:fs";
import type { PaneAddress, SessionId } from "../names/gates.js";
import type { ForkRow, Forks } from "../stores/forks.js";

export interface Recorded {
  parentOf(session: SessionId): SessionId | null;
  /** Whether the last row of the pane says the same. */
  has(row: ForkRow): boolean;
}

/** Each call gives the current content. */
export function openRecorded(forks: Forks): () => Recorded {
  let stamp = "";
  let recorded = recordedIn([]);
  return () => {
    const file = statSync(forks.path, { throwIfNoEntry: false });
    const seen = file === undefined ? "" : `${file.ino} ${file.size} ${file.mtimeMs}`;
    if (seen !== stamp) recorded = recordedIn(forks.lastOfEach());
    stamp = seen;
    return recorded;
  };
}

export function recordedIn(rows: Iterable<ForkRow>): Recorded {
  const parents = new Map<SessionId, SessionId>();
  const last = new Map<PaneAddress, ForkRow>();
  for (const row of rows) {
    if (row.uuid !== null && row.parent !== null) parents.set(row.uuid, row.parent);
    if (row.pane !== null) last.set(row.pane, row);
  }
  return {
    parentOf: (session) => parents.get(session) ?? null,
    has: (row) => row.uuid === null || (row.pane !== null && isSaid(row, last.get(row.pane))),
  };
}

function isSaid({ uuid, parent, state }: ForkRow, last: ForkRow | undefined): boolean {
  const isSameParent = parent === null || parent === last?.parent;
  return uuid === last?.uuid && isSameParent && (state === "broken") === (last?.state === "broken");
}
