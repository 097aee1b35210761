// Which teams the watcher saves by itself. Pure: what runs now, compared with the newest snapshot of each team.
//
// - A team is saved after a person changed it: another pane, agent, role, session, folder or model than in the snapshot.
//   Titles, and the folders of shells, change all the time and are no reason.
// - A team is not saved while one of its agents is missing that no command ended, however long ago: the newest snapshot
//   is what brings that agent back. A crashed agent counts as missing if a save would record less of it than before.
//   A save by hand overrules this.
// - A team that does not run is not saved, so its snapshot stays the newest.

import { isAgent } from "../fleet/roster/role-of.js";
import { addressOf, type TeamName } from "../names/gates.js";
import type { SnapshotRow } from "../stores/text/snapshot-text.js";

export interface Autosave {
  teams: TeamName[];
  /** Why a changed team is not saved. */
  missing: { team: TeamName; agents: string[] }[];
}

export interface Savable {
  /** The rows that a save would write now. */
  rows: readonly SnapshotRow[];
  /** Agents of which a save would record less than the snapshot has. */
  lost: readonly SnapshotRow[];
  saved: ReadonlyMap<TeamName, readonly SnapshotRow[]>;
}

/** `ended` are the agents that a command ended, as the last look saw them. */
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

/** The agents of the last look that a command has ended since, named by id or else by address. */
export function endedIn(killed: ReadonlySet<string>, lastSeen: readonly SnapshotRow[]): SnapshotRow[] {
  return lastSeen.filter((row) => killed.has(row.agent ?? addressOf(row.team, row.window, row.pane)));
}

function shapeOf(rows: readonly SnapshotRow[]): string {
  return rows
    .map((row) => {
      const { agent, window, pane, role, uuid, cwd, model, kind } = row;
      return JSON.stringify([agent, window, pane, role, kind, ...(isAgent(row) ? [uuid, cwd, model] : [])]);
    })
    .sort()
    .join("\n");
}

function placeIn({ role, uuid, window, pane }: SnapshotRow): string {
  return JSON.stringify([role ?? `${window}.${pane}`, uuid]);
}

/** Matches an agent by its id or session, else by its role in the team; without a role, by its address. */
export function isAmong(row: SnapshotRow, among: readonly SnapshotRow[]): boolean {
  return among.some((other) => {
    if (!isAgent(other)) return false;
    if (row.agent !== null && other.agent === row.agent) return true;
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
