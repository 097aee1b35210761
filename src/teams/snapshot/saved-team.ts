// A saved team as it can be rebuilt: the plausible rows, and the windows and panes they need. Pure.
//
// - A window gets one pane per row: the saved number of a pane is only its order.
// - An impossible pane number is refused and makes no pane.
// - A session is opened once: a second row with it is refused.

import { type ExitCode, exitCodes } from "../../base/errors.js";
import { layoutOfRows } from "../../layout/layout-of.js";
import { limits } from "../../limits.js";
import { addressOf, type PaneAddress, type SessionId, type TeamName } from "../../names/gates.js";
import type { Layout } from "../../stores/text/layout-text.js";
import type { SnapshotRow } from "../../stores/text/snapshot-text.js";

/** What is stored about one team. */
export interface SavedTeam {
  team: TeamName;
  /** The snapshot's file name, or a description of the source. */
  source: string;
  rows: readonly SnapshotRow[];
  /** Rows of the same file that did not parse. */
  badRows: number;
  /** Sessions that are known to have had no conversation yet. */
  silent: ReadonlySet<SessionId>;
  layout: Layout | null;
}

export interface Refusal {
  pane: PaneAddress;
  role: SnapshotRow["role"];
  why: string;
  hint: string | null;
  /** 3 if something was unreadable, so the row may be possible after all. */
  exitCode: ExitCode;
}

export interface PlausibleTeam {
  /** The rows that may come back, by window and pane. */
  rows: SnapshotRow[];
  refused: Refusal[];
  /** Every saved pane, also one whose agent is refused. */
  layout: Layout;
}

export function plausibleTeam(saved: SavedTeam): PlausibleTeam {
  const refused: Refusal[] = [];
  const ordered = [...saved.rows].sort((a, b) => a.window - b.window || a.pane - b.pane);
  const placed = ordered.filter((row) => {
    if (row.pane < limits.layoutPanes + highestBase) return true;
    refused.push(
      refusal(row, `a window has at most ${limits.layoutPanes} panes: number ${row.pane} is impossible`),
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
      refusal(
        row,
        `${other} has the same session ${row.uuid}`,
        "end all except one of them, then save again",
      ),
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

/** tmux counts panes from 0 or from 1. */
const highestBase = 1;
