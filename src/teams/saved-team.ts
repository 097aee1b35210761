// A saved team as it can be rebuilt: which rows are plausible, and the windows and panes they ask for. Pure.
//
// [SV1] A row whose pane could not have been there is refused and makes no pane: a window gets as many as it has rows.
// [SV2] One session is asked for once: a second row of it is refused.

import { type ExitCode, exitCodes } from "../base/errors.js";
import { layoutOfRows } from "../layout/layout-of.js";
import { addressOf, type PaneAddress, type SessionId, type TeamName } from "../names/gates.js";
import type { Layout } from "../stores/layout-text.js";
import type { SnapshotRow } from "../stores/snapshot-text.js";

/** What is stored of one team. */
export interface SavedTeam {
  team: TeamName;
  /** The snapshot's file name, or in words what the rows were taken from. */
  source: string;
  rows: readonly SnapshotRow[];
  /** Rows of the same file that did not parse. */
  badRows: number;
  /** How many panes may have stood between the rows. */
  gaps: number;
  /** Sessions that are known to have had no word yet. */
  silent: ReadonlySet<SessionId>;
  layout: Layout | null;
}

export interface Refusal {
  pane: PaneAddress;
  role: SnapshotRow["role"];
  why: string;
  hint: string | null;
  /** 3 where it is not known to be impossible: nobody could look. */
  exitCode: ExitCode;
}

export interface PlausibleTeam {
  /** Those that may be brought back, in the order of windows and panes. */
  rows: SnapshotRow[];
  refused: Refusal[];
  /** Every pane there was, also one whose agent is refused. */
  layout: Layout;
}

export function plausibleTeam(saved: SavedTeam): PlausibleTeam {
  const refused: Refusal[] = [];
  const base = saved.rows.reduce((least, { pane }) => Math.min(least, pane), highestBase);
  const ordered = [...saved.rows].sort((a, b) => a.window - b.window || a.pane - b.pane);
  const counts = new Map<number, number>();
  for (const { window } of saved.rows) counts.set(window, (counts.get(window) ?? 0) + 1);
  const placed = ordered.filter((row) => {
    const most = (counts.get(row.window) ?? 0) + saved.gaps;
    if (row.pane - base < most) return true;
    refused.push(
      refusal(row, `its window has ${most} saved panes, so it cannot have been number ${row.pane}`),
    );
    return false;
  });
  const layout = layoutOfRows(saved.team, placed, saved.layout);
  const seen = new Map<string, PaneAddress>();
  const rows = placed.filter((row) => {
    const other = row.uuid === null ? undefined : seen.get(row.uuid);
    if (row.uuid !== null && other === undefined) seen.set(row.uuid, savedAddress(row));
    if (other === undefined) return true;
    refused.push(
      refusal(row, `${other} has the same session ${row.uuid}`, "end all but one of them, and save again"),
    );
    return false;
  });
  return { rows, refused, layout };
}

export function savedAddress({ team, window, pane }: SnapshotRow): PaneAddress {
  return addressOf(team, window, pane);
}

export function refusal(
  row: SnapshotRow,
  why: string,
  hint: string | null = null,
  exitCode: ExitCode = exitCodes.refused,
): Refusal {
  return { pane: savedAddress(row), role: row.role, why, hint, exitCode };
}

/** People count panes from 0 or from 1. */
const highestBase = 1;
