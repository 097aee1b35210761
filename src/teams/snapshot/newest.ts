// Chooses the snapshot that restores a team. Reading stops as soon as nothing older matters.
//
// - A team is restored from the newest snapshot that has a pane of exactly this team.
// - An unreadable snapshot is reported and skipped; it never hides an older one.

import { HiveError } from "../../base/errors.js";
import type { TeamName } from "../../names/gates.js";
import type { Snapshots } from "../../stores/snapshots.js";
import type { SnapshotRead } from "../../stores/text/snapshot-text.js";

/** `snapshots` newest first, as the store lists them. Null if none has the team. */
export function newestWith(team: TeamName, snapshots: Iterable<SnapshotRead>): SnapshotRead | null {
  for (const snapshot of snapshots) if (snapshot.rows.some((row) => row.team === team)) return snapshot;
  return null;
}

/** The newest snapshot per team. */
export function newestOfEach(snapshots: Iterable<SnapshotRead>): Map<TeamName, SnapshotRead> {
  const newest = new Map<TeamName, SnapshotRead>();
  for (const snapshot of snapshots) {
    for (const { team } of snapshot.rows) if (!newest.has(team)) newest.set(team, snapshot);
  }
  return newest;
}

/** The stored snapshots, newest first, each read on demand. */
export function* readSnapshots(
  snapshots: Snapshots,
  onUnreadable: (error: HiveError, path: string) => void,
): Generator<SnapshotRead> {
  for (const { path } of snapshots.list()) {
    try {
      yield snapshots.read(path);
    } catch (error) {
      if (!(error instanceof HiveError)) throw error;
      onUnreadable(error, path);
    }
  }
}
