// Which teams are saved by themselves. Pure: what runs, beside the newest snapshot that each team has.
//
// [WA1] A team is saved when a person changed it: another pane, agent, role, session, folder or model than was saved.
// [WA2] A team of which an agent is missing that nobody ended by a command is not saved, however long ago it went: its
//       newest snapshot is what brings that agent back. A save by hand says that it is right so. Missing is also one that
//       crashed in its pane, if a save would keep less of it than there was.
// [WA3] Titles, and where shells are, change all the time and are no reason to save.
// [WA4] A team that does not run is none of the teams that are saved, so its snapshot stays its newest.

import { isAgent } from "../fleet/role-of.js";
import { addressOf, type TeamName } from "../names/gates.js";
import type { SnapshotRow } from "../stores/snapshot-text.js";

export interface Autosave {
  teams: TeamName[];
  /** What keeps a team from being saved, though it has changed. */
  missing: { team: TeamName; agents: string[] }[];
}

export interface Savable {
  /** What would be saved now. */
  rows: readonly SnapshotRow[];
  /** Agents among them that a save would keep less of than there was. */
  lost: readonly SnapshotRow[];
  saved: ReadonlyMap<TeamName, readonly SnapshotRow[]>;
}

/** `ended` are agents that were ended by a command, as they were last seen. */
export function planAutosave({ rows, lost, saved }: Savable, ended: readonly SnapshotRow[]): Autosave {
  const plan: Autosave = { teams: [], missing: [] };
  for (const team of new Set(rows.map((row) => row.team))) {
    const own = rows.filter((row) => row.team === team);
    const before = saved.get(team) ?? [];
    if (shapeOf(own) === shapeOf(before)) continue;
    const isSavedSo = (row: SnapshotRow) => before.some((other) => placeIn(other) === placeIn(row));
    const gone = [
      ...before.filter((row) => isAgent(row) && !isAmong(row, rows) && !isAmong(row, ended)),
      ...lost.filter((row) => row.team === team && !isSavedSo(row)),
    ];
    if (gone.length === 0) plan.teams.push(team);
    else plan.missing.push({ team, agents: gone.map(nameOf) });
  }
  return plan;
}

/** Agents that were seen at the last look, and that a command has ended since, at these addresses. */
export function endedAt(killed: ReadonlySet<string>, lastSeen: readonly SnapshotRow[]): SnapshotRow[] {
  return lastSeen.filter((row) => killed.has(addressOf(row.team, row.window, row.pane)));
}

function shapeOf(rows: readonly SnapshotRow[]): string {
  return rows
    .map((row) => {
      const { window, pane, role, uuid, cwd, model, kind } = row;
      return JSON.stringify([window, pane, role, kind, ...(isAgent(row) ? [uuid, cwd, model] : [])]);
    })
    .sort()
    .join("\n");
}

function placeIn({ role, uuid, window, pane }: SnapshotRow): string {
  return JSON.stringify([role ?? `${window}.${pane}`, uuid]);
}

/** By its session, wherever it moved, or by its role in the team; one without a role by its place. */
export function isAmong(row: SnapshotRow, among: readonly SnapshotRow[]): boolean {
  return among.some((other) => {
    if (!isAgent(other)) return false;
    if (row.uuid !== null && other.uuid === row.uuid) return true;
    if (other.team !== row.team) return false;
    return row.role !== null
      ? other.role === row.role
      : other.window === row.window && other.pane === row.pane;
  });
}

function nameOf({ role, team, window, pane }: SnapshotRow): string {
  return role ?? addressOf(team, window, pane);
}
