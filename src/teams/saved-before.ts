// What was saved last of a session: an agent that has ended cannot tell any more. Pure over what was read.

import type { SessionId } from "../names/gates.js";
import type { SnapshotRead } from "../stores/snapshot-text.js";

export interface SavedBefore {
  /** Empty where none was known. */
  model: string;
  /** It had not said a word by then. */
  isSilent: boolean;
}

/** Null of a session that no snapshot has. */
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
