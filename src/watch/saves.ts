// The snapshots as the watcher needs them: the newest rows of each team, and a bounded number of autosaves.
//
// A snapshot never changes, so each is read once: a turn lists the folder and reads new files only. Only autosaves under
// their own names are pruned, never the newest one that has a team.

import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import type { SessionId, TeamName } from "../names/gates.js";
import type { SnapshotFile, Snapshots } from "../stores/snapshots.js";
import { type SnapshotRow, withLikelyKind } from "../stores/text/snapshot-text.js";
import { prunable } from "../teams/snapshot/prune.js";
import { type BeforeOf, savedBefore } from "../teams/snapshot/saved-before.js";

export interface Saves {
  /** Per team, the rows of the newest snapshot that has it. */
  newest(): ReadonlyMap<TeamName, readonly SnapshotRow[]>;
  /** Per session, the row of the newest snapshot that has it, as of the last call of `newest`. */
  before: BeforeOf;
  prune(): Promise<void>;
}

export function openSaves(snapshots: Snapshots): Saves {
  let known = new Map<string, Save>();
  let newest = new Map<TeamName, readonly SnapshotRow[]>();
  let before: BeforeOf = () => null;

  /** Newest first. */
  function look(): Save[] {
    const files = snapshots.list();
    const isSame = files.length === known.size && files.every(({ path }) => known.has(path));
    if (!isSame) {
      known = new Map(files.map((file) => [file.path, known.get(file.path) ?? readSave(snapshots, file)]));
      newest = newestRows([...known.values()]);
      before = savedBefore(known.values());
    }
    return [...known.values()];
  }

  return {
    newest() {
      look();
      return newest;
    },
    before: (uuid) => before(uuid),
    async prune() {
      const autosaves = look().filter(({ isAutosave }) => isAutosave);
      const gone = prunable(autosaves, limits.autosaves).map(({ file }) => file);
      if (gone.length > 0) await snapshots.prune(gone);
    },
  };
}

interface Save {
  file: SnapshotFile;
  isAutosave: boolean;
  teams: TeamName[];
  rows: readonly SnapshotRow[];
  silent: ReadonlySet<SessionId>;
}

/** An unreadable snapshot hides no other one and is never removed. */
function readSave(snapshots: Snapshots, file: SnapshotFile): Save {
  try {
    const read = snapshots.read(file.path);
    const rows = read.rows.map(withLikelyKind);
    // A person made and named this copy: it stays.
    const isAutosave = read.isAutosave && !file.isForeign;
    return { file, isAutosave, teams: [...new Set(rows.map(({ team }) => team))], rows, silent: read.silent };
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
    return { file, isAutosave: false, teams: [], rows: [], silent: new Set() };
  }
}

function newestRows(saves: readonly Save[]): Map<TeamName, readonly SnapshotRow[]> {
  const found = new Map<TeamName, readonly SnapshotRow[]>();
  for (const { teams, rows } of saves) {
    for (const team of teams)
      if (!found.has(team))
        found.set(
          team,
          rows.filter((row) => row.team === team),
        );
  }
  return found;
}
