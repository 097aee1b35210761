// What is stored here of some teams, as it goes into a box. Reads the stores, and changes nothing.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { parseUtc } from "../base/utc.js";
import { addressParts, type PaneAddress, type TeamName } from "../names/gates.js";
import type { BoxRows } from "../stores/box-text.js";
import type { Layout } from "../stores/layout-text.js";
import type { SnapshotRead } from "../stores/snapshot-text.js";
import type { Stores } from "../stores/stores.js";
import { newestOfEach, readSnapshots } from "../teams/newest.js";
import type { SavedFleet } from "../teams/save.js";

export interface StoredChoice {
  /** Null: all that are registered, and those of the newest snapshot. */
  teams: readonly TeamName[] | null;
  /** Of one team that runs: as it is now, not as it was last saved. */
  live?: Pick<SavedFleet, "rows" | "silent"> & { layout: Layout; saved?: SavedAs };
}

/** The snapshot that these rows were just saved as. */
export interface SavedAs {
  name: string;
  savedAtMs: number;
}

/** Without the lineage, which depends on the sessions. */
export type StoredRows = Omit<BoxRows, "forks">;

/** Those of the teams that anything is known of; what is passed over goes to `problems`. */
export function storedTeams(
  stores: Stores,
  { teams: wanted, live }: StoredChoice,
  problems: string[],
): { teams: TeamName[]; rows: StoredRows } {
  const registered = stores.teams.read().rows;
  const saved = newestOfEach(
    readSnapshots(stores.snapshots, (error, path) => {
      problems.push(`passed over ${path}: ${harmless(error.message)}`);
    }),
  );
  const meant = new Set(wanted ?? [...registered.map(({ team }) => team), ...ofNewest(saved)].sort());
  const isMeant = ({ pane }: { pane: PaneAddress }) => meant.has(addressParts(pane).team);
  const rows: StoredRows = {
    teams: registered.filter(({ team }) => meant.has(team)),
    roles: stores.roles.read().rows.filter(isMeant),
    sessions: stores.sessions.read().rows.filter(isMeant),
    ...(live === undefined
      ? {
          snapshot: together(saved, meant),
          layouts: [...meant].flatMap((team) => stores.layouts.read(team) ?? []),
        }
      : { snapshot: asSaved(live), layouts: [live.layout] }),
  };
  const known = new Set([
    ...(rows.snapshot?.rows ?? []).map(({ team }) => team),
    ...rows.roles.map(({ pane }) => addressParts(pane).team),
  ]);
  const unknown = [...meant].filter((team) => !known.has(team));
  if (known.size === 0 || (wanted !== null && unknown.length > 0)) throw nothing(wanted && unknown[0], saved);
  problems.push(...unknown.map((team) => `nothing is stored of ${team}`));
  return { teams: [...meant].filter((team) => known.has(team)), rows };
}

function asSaved({ rows, silent, saved }: NonNullable<StoredChoice["live"]>): StoredRows["snapshot"] {
  return { rows, silent, ...(saved ?? { savedAtMs: Date.now() }) };
}

type Saved = ReadonlyMap<TeamName, SnapshotRead>;

/** The teams of the newest snapshot of all: the first that was met. */
function ofNewest(saved: Saved): TeamName[] {
  const [newest] = saved.values();
  return [...saved].filter(([, snapshot]) => snapshot === newest).map(([team]) => team);
}

/** Of each team its newest save, in one snapshot as old as the newest of them. */
function together(saved: Saved, teams: ReadonlySet<TeamName>): StoredRows["snapshot"] {
  const chosen = [...teams].flatMap((team) => saved.get(team) ?? []);
  if (chosen.length === 0) return null;
  const rows = [...teams].flatMap((team) => saved.get(team)?.rows.filter((row) => row.team === team) ?? []);
  const uuids = new Set(rows.map(({ uuid }) => uuid));
  const silent = chosen.flatMap((each) => [...each.silent]).filter((uuid) => uuids.has(uuid));
  const savedAtMs = Math.max(...chosen.map(({ savedAt }) => parseUtc(savedAt) ?? 0));
  return { rows, silent: new Set(silent), savedAtMs };
}

function nothing(team: TeamName | null | undefined, saved: Saved): HiveError {
  const there = [...saved.keys()].sort().join(", ");
  const hint = there === "" ? "save first: hivemind teams save" : `there are: ${there}`;
  return new HiveError(team ? `nothing is stored of a team "${team}"` : "nothing is stored yet", { hint });
}
