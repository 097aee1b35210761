// The changes that events make to the stores, each in one place. They write and emit nothing.
//
// [RW1] What is right already is not written again: the time of a role is when it was given, not when it was seen.
// [RW2] A change for one pane or team leaves the rows of all others as they are.
// [RW3] A role from before the tmux session in which its pane is marked is given anew there: it is not that of a pane of
//       an earlier one. One without a time is a person's, and stays so.

import { utcSeconds } from "../base/utc.js";
import {
  addressParts,
  type PaneAddress,
  type PaneId,
  type Role,
  type SessionId,
  type TeamName,
} from "../names/gates.js";
import type { ForkState } from "./forks.js";
import { heirsOf, homesOf, type KeptPlaces, letGoOf, ownerHere, type Places } from "./queue-homes.js";
import type { MessageId } from "./queue-rows.js";
import type { Homes, Message } from "./queues.js";
import { givenIds, movedReceipts, type Owner, ownersOf, receipt } from "./receipts.js";
import { type Moves, rekeyRows, teamMoves } from "./rekey.js";
import { type Rekey, rekeyOnce, rowsAt } from "./rekeying.js";
import type { RoleRow } from "./roles.js";
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

  async function rearrange(
    why: string,
    plan: (waiting: readonly Message[], owners: ReadonlyMap<MessageId, Owner>) => Homes,
  ): Promise<void> {
    const { buried } = await queues.rearrange(
      (waiting) => (waiting.length === 0 ? new Map() : plan(waiting, ownersOf(receipts.read().rows))),
      () => givenIds(receipts.read().rows),
    );
    await receipts.append(buried.map(({ id }) => receipt(id, "cleared", why)));
  }

  /** Messages go where their panes stand; of those whose pane nobody knows all that wait at an address that moved. */
  const rekeyQueues = (moves: Moves, places: KeptPlaces): Promise<void> =>
    rearrange("its pane is gone", (waiting, owners) => homesOf(waiting, owners, places, moves));

  /** The messages stay where they wait. */
  async function giveTo(
    panes: readonly PaneAddress[],
    ownersNow: (
      waiting: readonly Message[],
      owners: ReadonlyMap<MessageId, Owner>,
    ) => Iterable<[MessageId, Owner]>,
  ): Promise<void> {
    const waiting = panes.flatMap((pane) => queues.read(pane).messages);
    if (waiting.length === 0) return;
    const given = [...ownersNow(waiting, ownersOf(receipts.read().rows))];
    await receipts.append(movedReceipts(given.map(([id, owner]) => ({ from: id, to: id, owner }))));
  }

  /** What waits at these places for panes that are gone is nobody's of this server. */
  const letGo = (panes: readonly PaneAddress[], places: KeptPlaces): Promise<void> =>
    giveTo(panes, (waiting, owners) => letGoOf(waiting, owners, places, new Set(panes)));

  return {
    panesOf,

    async setRole(pane: PaneAddress, role: Role): Promise<void> {
      const epoch = Math.floor(Date.now() / 1000);
      await roles.update((rows) => {
        if (rows.some((row) => row.pane === pane && row.role === role)) return rows;
        return [...without(rows, [pane]), { pane, role, epoch }];
      });
    },
    /** `createdMs` is when the tmux session of each pane began. */
    async renewRoles(createdMs: ReadonlyMap<PaneAddress, number>): Promise<void> {
      const isOld = ({ pane, epoch }: RoleRow) =>
        epoch !== null && epoch * 1000 < (createdMs.get(pane) ?? Number.NEGATIVE_INFINITY);
      // A clock that was set back may be behind the session's beginning.
      const renewed = (row: RoleRow) => ({
        ...row,
        epoch: Math.floor(Math.max(Date.now(), createdMs.get(row.pane)!) / 1000),
      });
      if (!roles.read().rows.some(isOld)) return;
      await roles.update((rows) => rows.map((row) => (isOld(row) ? renewed(row) : row)));
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
    /**
     * What waited for these panes is kept, in `dead/`. `ids` are those of them that are still there: what waits at such
     * an address for yet another pane is that one's.
     */
    async buryQueues(
      panes: readonly PaneAddress[],
      { places, ids }: { places: Places; ids: readonly PaneId[] },
    ): Promise<void> {
      const gone = new Set(panes);
      const living = new Set(places.panes.map(({ id }) => id).filter((id) => !ids.includes(id)));
      await rearrange("its agent is gone", (waiting, owners) => {
        const lost = waiting.filter(({ id, pane }) => {
          const owner = ownerHere(owners.get(id), places);
          return gone.has(pane) && (owner === null || !living.has(owner));
        });
        return new Map(lost.map(({ id }) => [id, null]));
      });
    },
    /** The same of what is known to be for this one pane, and of nothing else that waits there. */
    buryOwn: (pane: PaneId, server: Pick<Places, "server">): Promise<void> =>
      rearrange("its agent is gone", (waiting, owners) => {
        const own = waiting.filter(({ id }) => ownerHere(owners.get(id), server) === pane);
        return new Map(own.map(({ id }) => [id, null]));
      }),
    rekeyQueues,
    /**
     * The same where nothing is known to have moved: a message may have been queued while its pane did. What waits for
     * who is brought back is let go: once that one stands there, it would be taken for another.
     */
    async bringHome(places: KeptPlaces): Promise<void> {
      await letGo(
        queues.panes().filter((pane) => places.kept.has(pane)),
        places,
      );
      await rekeyQueues(new Map(), places);
    },
    letGo,
    /** What waited for a team that was brought back is for the panes that stand there now. */
    inheritQueues: (team: TeamName, places: Places): Promise<void> =>
      giveTo(
        queues.panes().filter((pane) => addressParts(pane).team === team),
        (waiting, owners) =>
          heirsOf(waiting, owners, places, new Set(roles.read().rows.map(({ pane }) => pane))),
      ),
    async rekeyRoles(moves: Moves): Promise<void> {
      await roles.update((rows) => rekeyRows(rows, moves));
    },
    async rekeySessions(moves: Moves): Promise<void> {
      await sessions.update((rows) => rekeyRows(rows, moves));
    },
    async rekeyHolds(moves: Moves): Promise<void> {
      await holds.update((rows) => rekeyRows(rows, moves));
    },
    async renameRoles(old: TeamName, renamed: TeamName): Promise<void> {
      await roles.update((rows) => rekeyTeam(rows, old, renamed));
    },
    async renameSessions(old: TeamName, renamed: TeamName): Promise<void> {
      await sessions.update((rows) => rekeyTeam(rows, old, renamed));
    },
    async renameHolds(old: TeamName, renamed: TeamName): Promise<void> {
      await holds.update((rows) => rekeyTeam(rows, old, renamed));
    },
    /** For a re-key that is written down: what the rows are before it. */
    rowsBefore: (moves: Moves): Rekey["before"] => ({
      S1: rowsAt(roles.read().rows, moves),
      S2: rowsAt(sessions.read().rows, moves),
      holds: rowsAt(holds.read().rows, moves),
    }),
    /** The stores that a killed process did not come to. */
    async finishRekey({ moves: pairs, before }: Rekey, places: KeptPlaces): Promise<void> {
      const moves: Moves = new Map(pairs);
      await roles.update((rows) => rekeyOnce(rows, moves, before.S1));
      await sessions.update((rows) => rekeyOnce(rows, moves, before.S2));
      await holds.update((rows) => rekeyOnce(rows, moves, before.holds));
      await rekeyQueues(moves, places);
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

/** By what this store has of it: where nothing is left of the old name, it was renamed before. */
function rekeyTeam<Row extends { pane: PaneAddress }>(
  rows: readonly Row[],
  old: TeamName,
  renamed: TeamName,
): readonly Row[] {
  const panes = rows.map(({ pane }) => pane);
  return rekeyRows(rows, teamMoves(panes, old, renamed));
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
