// The changes that events make to the stores, each in one place. They write and emit nothing.
//
// [RW1] What is right already is not written again: the time of a role is when it was given, not when it was seen.
// [RW2] A change for one pane or team leaves the rows of all others as they are.

import { utcSeconds } from "../base/utc.js";
import { addressParts, type PaneAddress, type Role, type SessionId, type TeamName } from "../names/gates.js";
import type { ForkState } from "./forks.js";
import { receipt } from "./receipts.js";
import { type Moves, rekeyRows, teamMoves } from "./rekey.js";
import type { Stores } from "./stores.js";

export function rowWriter(stores: Stores) {
  const { roles, sessions, teams, forks, queues, activeTeam, viewerWindows, sizeLocks, layouts, holds } =
    stores;
  const { receipts } = stores;

  /** Every pane of the team that any of these stores has a row or queue for. */
  function panesOf(team: TeamName): PaneAddress[] {
    const rows = [roles, sessions, holds].flatMap((store) => store.read().rows.map(({ pane }) => pane));
    return [...new Set([...rows, ...queues.panes()])].filter((pane) => addressParts(pane).team === team);
  }

  return {
    panesOf,
    teamMoves: (old: TeamName, renamed: TeamName): Moves => teamMoves(panesOf(old), old, renamed),

    async setRole(pane: PaneAddress, role: Role): Promise<void> {
      const epoch = Math.floor(Date.now() / 1000);
      await roles.update((rows) => {
        if (rows.some((row) => row.pane === pane && row.role === role)) return rows;
        return [...without(rows, [pane]), { pane, role, epoch }];
      });
    },
    async setSession(pane: PaneAddress, uuid: SessionId): Promise<void> {
      await sessions.update((rows) => [...without(rows, [pane]), { pane, uuid }]);
    },
    async removeRoles(panes: readonly PaneAddress[]): Promise<void> {
      await roles.update((rows) => without(rows, panes));
    },
    async removeSessions(panes: readonly PaneAddress[]): Promise<void> {
      await sessions.update((rows) => without(rows, panes));
    },
    async removeHolds(panes: readonly PaneAddress[]): Promise<void> {
      await holds.update((rows) => without(rows, panes));
    },
    /** What waited for panes that are gone is kept, in `dead/`. */
    async buryQueues(panes: readonly PaneAddress[]): Promise<void> {
      const gone = new Set(panes);
      for (const pane of queues.panes()) {
        if (!gone.has(pane)) continue;
        const buried = await queues.clear(pane);
        await receipts.append(buried.map(({ id }) => receipt(id, "cleared", "its agent is gone")));
      }
    },
    async rekeyRoles(moves: Moves): Promise<void> {
      await roles.update((rows) => rekeyRows(rows, moves));
    },
    async rekeySessions(moves: Moves): Promise<void> {
      await sessions.update((rows) => rekeyRows(rows, moves));
    },
    async rekeyHolds(moves: Moves): Promise<void> {
      await holds.update((rows) => rekeyRows(rows, moves));
    },
    async rekeyQueues(moves: Moves): Promise<void> {
      await queues.rekey(moves);
    },

    /** An agent that just began runs, and has said nothing yet: "stable". */
    async addFork(
      fork: { pane: PaneAddress | null; uuid: SessionId; parent: SessionId | null },
      state: ForkState = "stable",
    ): Promise<void> {
      const role = roles.read().rows.find(({ pane }) => pane === fork.pane)?.role ?? null;
      await forks.append([{ at: utcSeconds(Date.now()), ...fork, role, state }]);
    },

    /** Without a description the team keeps the one it has. */
    async setTeam(team: TeamName, description: string): Promise<void> {
      await teams.update((rows) => {
        const known = rows.find((row) => row.team === team);
        if (known !== undefined && (description === "" || known.description === description)) return rows;
        return [...rows.filter((row) => row !== known), { team, description }];
      });
    },
    async removeTeam(team: TeamName): Promise<void> {
      await teams.update((rows) => rows.filter((row) => row.team !== team));
    },
    async renameTeam(old: TeamName, renamed: TeamName): Promise<void> {
      await teams.update((rows) => renameIn(rows, old, renamed));
    },
    async removeViewerWindow(team: TeamName): Promise<void> {
      await viewerWindows.update((rows) => rows.filter((row) => row.team !== team));
    },
    async renameViewerWindow(old: TeamName, renamed: TeamName): Promise<void> {
      await viewerWindows.update((rows) => renameIn(rows, old, renamed));
    },
    async renameSizeLock(old: TeamName, renamed: TeamName): Promise<void> {
      await sizeLocks.update((rows) => renameIn(rows, old, renamed));
    },
    async renameLayout(old: TeamName, renamed: TeamName): Promise<void> {
      await layouts.rename(old, renamed);
    },
    async renameActiveTeam(old: TeamName, renamed: TeamName): Promise<void> {
      if (activeTeam.read() === old) await activeTeam.write(renamed);
    },
  };
}

function without<Row extends { pane: PaneAddress }>(
  rows: readonly Row[],
  panes: readonly PaneAddress[],
): Row[] {
  const gone = new Set(panes);
  return rows.filter(({ pane }) => !gone.has(pane));
}

function renameIn<Row extends { team: TeamName }>(
  rows: readonly Row[],
  old: TeamName,
  renamed: TeamName,
): readonly Row[] {
  if (!rows.some(({ team }) => team === old)) return rows;
  return rows
    .filter(({ team }) => team !== renamed)
    .map((row) => (row.team === old ? { ...row, team: renamed } : row));
}
