// Which snapshot brings a team back. Pure over what was read; reading stops as soon as nothing older matters.
//
// [NW1] A team is brought back from the newest snapshot that has a pane of exactly this team.
// [NW2] A snapshot that cannot be read is said and passed over; it never hides an older one.

import { HiveError } from "../base/errors.js";
import type { TeamName } from "../names/gates.js";
import type { SnapshotRead } from "../stores/snapshot-text.js";
import type { Snapshots } from "../stores/snapshots.js";

/** `snapshots` newest first, as the store lists them; null when none has the team. */
export function newestWith(team: TeamName, snapshots: Iterable<SnapshotRead>): SnapshotRead | null {
  for (const snapshot of snapshots) if (snapshot.rows.some((row) => row.team === team)) return snapshot;
  return null;
}

/** For every team that any of them has, the newest that has it. */
export function newestOfEach(snapshots: Iterable<SnapshotRead>): Map<TeamName, SnapshotRead> {
  const newest = new Map<TeamName, SnapshotRead>();
  for (const snapshot of snapshots) {
    for (const { team } of snapshot.rows) if (!newest.has(team)) newest.set(team, snapshot);
  }
  return newest;
}

/** The stored ones, newest first, each read when it is asked for. */
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
