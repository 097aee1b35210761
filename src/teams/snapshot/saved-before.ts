// The last saved state of a session, for an agent that has ended and cannot report it any more.

import type { SessionId } from "../../names/gates.js";
import type { SnapshotRead } from "../../stores/text/snapshot-text.js";

export interface SavedBefore {
  /** Empty if unknown. */
  model: string;
  /** It had no conversation yet. */
  isSilent: boolean;
}

/** Null for a session that no snapshot has. */
export type BeforeOf = (uuid: SessionId) => SavedBefore | null;

/** `snapshots` newest first, read until the session is found. */
export function savedBefore(snapshots: Iterable<Pick<SnapshotRead, "rows" | "silent">>): BeforeOf {
  const reading = snapshots[Symbol.iterator]();
  const known = new Map<SessionId, SavedBefore>();
  return (uuid) => {
    while (!known.has(uuid)) {
      const { done, value } = reading.next();
      if (done) return null;
      for (const { uuid: each, model } of value.rows)
        if (each !== null && !known.has(each)) known.set(each, { model, isSilent: value.silent.has(each) });
    }
    return known.get(uuid) ?? null;
  };
}
