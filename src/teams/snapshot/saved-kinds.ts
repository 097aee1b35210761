// Which kind of agent a pane ran, from snapshots and layouts: rows of roles and sessions do not have it.

import { endedProgram } from "../../fleet/identity/ended-program.js";
import type { SessionId } from "../../names/gates.js";
import type { Kind } from "../../names/kind.js";
import type { Layout } from "../../stores/text/layout-text.js";
import type { SnapshotRead } from "../../stores/text/snapshot-text.js";

/** `snapshots` newest first, read until the session is found. Null if the kind is unknown. */
export function savedKinds(snapshots: Iterable<SnapshotRead>, layout: Layout | null) {
  const reading = snapshots[Symbol.iterator]();
  const known = new Map<SessionId, Kind>();

  function kindOfSession(uuid: SessionId): Kind | null {
    while (!known.has(uuid)) {
      const { done, value } = reading.next();
      if (done) return null;
      for (const row of value.rows)
        if (row.uuid !== null && row.kind !== null && !known.has(row.uuid)) known.set(row.uuid, row.kind);
    }
    return known.get(uuid) ?? null;
  }

  return (window: number, pane: number, uuid: SessionId | null): Kind | null => {
    const panes = layout?.windows.find((each) => each.window === window)?.panes;
    const command = panes?.find((each) => each.pane === pane)?.command ?? "";
    return (uuid === null ? null : kindOfSession(uuid)) ?? endedProgram(command)?.kind ?? null;
  };
}
