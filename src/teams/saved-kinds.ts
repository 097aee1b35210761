// Which agent a pane ran, by what was saved of it: rows of roles and sessions do not tell. Pure over what was read.

import { endedProgram } from "../fleet/ended-program.js";
import type { SessionId } from "../names/gates.js";
import type { Layout } from "../stores/layout-text.js";
import type { SavedKind, SnapshotRead } from "../stores/snapshot-text.js";

/** `snapshots` newest first, read until the session is found; null where nothing tells. */
export function savedKinds(snapshots: Iterable<SnapshotRead>, layout: Layout | null) {
  const reading = snapshots[Symbol.iterator]();
  const known = new Map<SessionId, SavedKind>();

  function kindOfSession(uuid: SessionId): SavedKind | null {
    while (!known.has(uuid)) {
      const { done, value } = reading.next();
      if (done) return null;
      for (const row of value.rows)
        if (row.uuid !== null && row.kind !== null && !known.has(row.uuid)) known.set(row.uuid, row.kind);
    }
    return known.get(uuid) ?? null;
  }

  return (window: number, pane: number, uuid: SessionId | null): SavedKind | null => {
    const panes = layout?.windows.find((each) => each.window === window)?.panes;
    const command = panes?.find((each) => each.pane === pane)?.command ?? "";
    return (uuid === null ? null : kindOfSession(uuid)) ?? endedProgram(command)?.kind ?? null;
  };
}
