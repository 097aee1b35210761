// A saved team as it can be rebuilt: which rows are plausible, and the windows and panes they ask for. Pure.
//
// [SV1] A window gets as many panes as it has rows: the saved number of a pane is only its order. A number that no window
//       can have is refused and makes no pane.
// [SV2] One session is asked for once: a second row of it is refused.

import { type ExitCode, exitCodes } from "../base/errors.js";
import { layoutOfRows } from "../layout/layout-of.js";
import { limits } from "../limits.js";
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
  const ordered = [...saved.rows].sort((a, b) => a.window - b.window || a.pane - b.pane);
  const placed = ordered.filter((row) => {
    if (row.pane < limits.layoutPanes + highestBase) return true;
    refused.push(
      refusal(
        row,
        `a window has at most ${limits.layoutPanes} panes: it cannot have been number ${row.pane}`,
      ),
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
