// The layout of a team, from tmux or from a snapshot. Pure.
//
// - A layout has every window and pane of exactly this team, in order.
// - A snapshot decides which panes exist. A saved layout adds names and shapes only to windows with the same number
//   of panes, so that an old layout never makes a pane that was not saved.

import { unmarkedTitle } from "../agents/claude/title.js";
import type { TeamName } from "../names/gates.js";
import type { Layout, LayoutPane, LayoutWindow } from "../stores/text/layout-text.js";
import type { SnapshotRow } from "../stores/text/snapshot-text.js";
import type { TmuxPane } from "../tmux/listing.js";

/** Null if no tmux session has this name. */
export function layoutOf(panes: readonly TmuxPane[], team: TeamName): Layout | null {
  const own = panes.filter(({ sessionName }) => sessionName === team);
  if (own.length === 0) return null;
  const windows = grouped(own, ({ windowIndex }) => windowIndex);
  return {
    team,
    windows: windows.map(([window, its]) => ({
      window,
      name: its[0]!.windowName,
      layout: its[0]!.windowLayout,
      panes: its.map(layoutPane).sort((a, b) => a.pane - b.pane),
    })),
  };
}

export function layoutOfRows(team: TeamName, rows: readonly SnapshotRow[], saved: Layout | null): Layout {
  const own = rows.filter((row) => row.team === team);
  return {
    team,
    windows: grouped(own, ({ window }) => window).map(([window, its]) => {
      const known = saved?.windows.find((each) => each.window === window);
      return windowOfRows(window, its, known?.panes.length === its.length ? known : null);
    }),
  };
}

function windowOfRows(
  window: number,
  rows: readonly SnapshotRow[],
  saved: LayoutWindow | null,
): LayoutWindow {
  const panes = rows.map(({ pane, title, cwd }) => ({ pane, title, cwd, command: "" }));
  panes.sort((a, b) => a.pane - b.pane);
  return { window, name: saved?.name ?? "", layout: saved?.layout ?? "", panes };
}

function layoutPane(pane: TmuxPane): LayoutPane {
  const { paneIndex, title, cwd, startPath, command } = pane;
  return { pane: paneIndex, title: unmarkedTitle(title), cwd: cwd || startPath, command };
}

function grouped<T>(items: readonly T[], key: (item: T) => number): [number, T[]][] {
  const groups = new Map<number, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups].sort(([a], [b]) => a - b);
}
