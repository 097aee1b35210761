// What is stored here for some teams, in the form of a bundle. Reads the stores and changes nothing.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { parseUtc } from "../base/text/utc.js";
import { rosterNow } from "../fleet/roster/roster.js";
import { viewsOf } from "../fleet/roster/roster-views.js";
import type { TeamName } from "../names/gates.js";
import type { Stores } from "../stores/stores.js";
import type { BundleRows, BundleSnapshot } from "../stores/text/bundle.js";
import type { Layout } from "../stores/text/layout-text.js";
import type { AgentRow } from "../stores/text/roster-rows.js";
import type { SnapshotRead } from "../stores/text/snapshot-text.js";
import { newestOfEach, readSnapshots } from "../teams/snapshot/newest.js";

export interface StoredChoice {
  /** Null: all registered teams, and those of the newest snapshot. */
  teams: readonly TeamName[] | null;
  /** For one running team: its current state instead of its last snapshot. */
  live?: { snapshot: BundleSnapshot; layout: Layout };
}

/** Without the lineage, which depends on the sessions. */
export type StoredRows = Omit<BundleRows, "forks">;

/** The known teams; skipped files are added to `problems`. */
export function storedTeams(
  stores: Stores,
  { teams: wanted, live }: StoredChoice,
  problems: string[],
): { teams: TeamName[]; rows: StoredRows } {
  const registered = stores.teams.read().rows;
  const saved = newestOfEach(
    readSnapshots(stores.snapshots, (error, path) => {
      problems.push(`skipped ${path}: ${harmless(error.message)}`);
    }),
  );
  const meant = new Set(wanted ?? [...registered.map(({ team }) => team), ...ofNewest(saved)].sort());
  const agents = agentsAtRest(stores).filter(({ team }) => meant.has(team));
  const stored = {
    teams: registered.filter(({ team }) => meant.has(team)),
    ...viewsOf(agents, new Set()),
    ...(live === undefined
      ? {
          snapshot: together(saved, meant),
          layouts: [...meant].flatMap((team) => stores.layouts.read(team) ?? []),
        }
      : { snapshot: live.snapshot, layouts: [live.layout] }),
  };
  const inSnapshot = new Set((stored.snapshot?.rows ?? []).map(({ team }) => team));
  const unsaved = agents.filter(({ team, role }) => role !== null && !inSnapshot.has(team));
  const rows: StoredRows = { ...stored, agents: unsaved };
  const known = new Set([...inSnapshot, ...unsaved.map(({ team }) => team)]);
  const unknown = [...meant].filter((team) => !known.has(team));
  if (known.size === 0 || (wanted !== null && unknown.length > 0)) throw nothing(wanted && unknown[0], saved);
  problems.push(...unknown.map((team) => `nothing is stored for ${team}`));
  return { teams: [...meant].filter((team) => known.has(team)), rows };
}

type Saved = ReadonlyMap<TeamName, SnapshotRead>;

/** The teams of the newest snapshot, which comes first. */
function ofNewest(saved: Saved): TeamName[] {
  const [newest] = saved.values();
  return [...saved].filter(([, snapshot]) => snapshot === newest).map(([team]) => team);
}

/** The newest snapshot of each team, merged into one with the newest date. */
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
  const hint = there === "" ? "save first: hivemind save" : `there are: ${there}`;
  return new HiveError(team ? `nothing is stored for a team "${team}"` : "nothing is stored yet", { hint });
}

/**
 * The agents of a config folder or a bundle, all without seats: no tmux server is asked. From S0 if it exists; from
 * S1 and S2 for an earlier version.
 */
export function agentsAtRest({ roster }: Pick<Stores, "roster">): readonly AgentRow[] {
  const nowhere = { server: null, panes: [], isLiving: () => false };
  return rosterNow(roster.read(), { ...nowhere, nowMs: Date.now() }).agents;
}
