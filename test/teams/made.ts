// Saved teams and their live panes, for pure tests of restores.

import type { FleetPane } from "../../src/fleet/panes.js";
import type { Role, SessionId, TeamName } from "../../src/names/gates.js";
import type { AgentRow } from "../../src/stores/text/roster-rows.js";
import type { SnapshotRow } from "../../src/stores/text/snapshot-text.js";
import type { Recorded, RestoreFacts } from "../../src/teams/snapshot/restore-plan.js";
import type { SavedTeam } from "../../src/teams/snapshot/saved-team.js";
import { fleetOf, pane, transcript } from "../fleet/made.js";
import { idOf } from "../transcripts/files.js";

const team = "web" as TeamName;
export const fresh = idOf(999);

export function row(at: string, facts: Partial<SnapshotRow> = {}): SnapshotRow {
  const [window, index] = at.split(".").map(Number) as [number, number];
  const uuid = idOf(100 + window * 10 + index);
  const defaults = { role: `r${window}${index}` as Role, uuid, title: "", cwd: "/a", model: "", agent: null };
  return { team, window, pane: index, kind: "claude", ...defaults, ...facts };
}

export const shell = (at: string) => row(at, { role: null, uuid: null, kind: "shell" });

export function saved(rows: readonly SnapshotRow[], facts: Partial<SavedTeam> = {}): SavedTeam {
  return { team, source: "a snapshot", rows, badRows: 0, silent: new Set(), layout: null, ...facts };
}

export const written = (...rows: readonly SnapshotRow[]) =>
  rows.map(({ uuid }) => transcript(Number(uuid!.slice(-3)), {}, { path: `/c/projects/-a/${uuid}.jsonl` }));

/** A pane of the team as tmux lists it: an agent by default. */
export function there(at: string, facts: Partial<FleetPane> = {}): FleetPane {
  const [windowIndex, paneIndex] = at.split(".").map(Number) as [number, number];
  return pane(`${team}:${at}`, { windowIndex, paneIndex, dead: false, startCommand: "", ...facts });
}

export function facts(
  transcripts: Parameters<typeof fleetOf>[0],
  panes: readonly (readonly [FleetPane, SessionId | null])[] = [],
  more: Partial<RestoreFacts> = {},
  absent: readonly AgentRow[] = [],
): RestoreFacts {
  const nothing: Recorded = { parent: null, wasWritten: false };
  return {
    fleet: fleetOf(
      transcripts,
      panes.map(([each, uuid]) => [each, uuid, "stable"]),
      absent,
    ),
    realFolder: (path) => (path === "/gone" ? null : path),
    recorded: () => nothing,
    newSession: () => fresh,
    isIdleShell: () => true,
    ...more,
  };
}
