// Which event brings which store up to date: as data.
//
// [HA1] Each event reaches the stores of its row in the table, in that order.
// [HA2] A handler that runs again leaves the same rows, and writes nothing.
// [HA3] Rows and marks agree afterwards: a registered pane carries its own id, address and role.
// [HA4] Killed at any moment while panes are followed, the next who changes a team finishes it: each row and message
//       has followed its pane once.
// [HA5] Killed between any two stores while an agent or a team is removed, no row of a pane that is gone outlives the
//       next refresh: it is found by its row of S1, so that goes after the one of S2.
// [HA6] A store that cannot be written ends a move or a new name there, before the marks: they still tell of it. Once it
//       can be written, the next who changes a team finishes it. A team without marks is found by its row of S3, so that
//       follows last.
// [HA7] A session in S2 is known, and nobody asks again where it came from or whose it is: what else there is to say of
//       it is written before, and where that cannot be written, S2 waits.

import type { Handler, HandlerTable } from "./events/bus.js";
import type { EventName, EventOf } from "./events/event.js";
import { markedAs, markWriter, placesIn } from "./fleet/mark-writer.js";
import { keyedRows } from "./fleet/moves.js";
import type { PaneAddress, Role, TeamName } from "./names/gates.js";
import { followMovedOn } from "./stores/moved-on.js";
import { type Moves, teamMoves } from "./stores/rekey.js";
import { rowWriter } from "./stores/row-writer.js";
import type { Stores } from "./stores/stores.js";
import { type Listing, listServer } from "./tmux/listing.js";
import type { Tmux } from "./tmux/tmux.js";
import type { ViewerFollower } from "./viewer/follow.js";

export function handlerTable(stores: Stores, tmux: Tmux, viewer: ViewerFollower): HandlerTable {
  const rows = rowWriter(stores);
  const marks = markWriter(tmux);
  const placesOf = (listing: Listing) => placesIn(listing, () => keyedRows(stores));

  /** Everything that is keyed by address follows its pane. */
  function follow<Name extends EventName>(
    movesOf: (event: EventOf<Name>) => Moves,
  ): readonly Handler<Name>[] {
    const step = (store: string, act: (moves: Moves) => void | Promise<void>): Handler<Name> => ({
      store,
      ends: "all",
      async run(event) {
        try {
          await act(movesOf(event));
        } catch (error) {
          stores.rekeying.leave();
          throw error;
        }
      },
    });
    return [
      step("rekey", begin),
      step("S1", rows.rekeyRoles),
      step("S2", rows.rekeySessions),
      step("S6", rekeyQueues),
      step("holds", rows.rekeyHolds),
      step("mark", async (moves) => rows.renewRoles(await marks.rekey(moves))),
      step("rekey", () => stores.rekeying.end()),
    ];
  }

  async function begin(moves: Moves): Promise<void> {
    const moving = await marks.moving(moves);
    stores.rekeying.begin({ moves: [...moves], ...moving, before: rows.rowsBefore(moves) });
  }

  async function mark(pane: PaneAddress, role: Role): Promise<void> {
    await rows.renewRoles(await marks.set(pane, role));
  }

  async function whereQueued(act: (listing: Listing) => Promise<void>): Promise<void> {
    if (stores.queues.panes().length > 0) await act(await listServer(tmux));
  }

  const rekeyQueues = (moves: Moves) => whereQueued((listing) => rows.rekeyQueues(moves, placesOf(listing)));

  const inheritQueues = (team: TeamName) =>
    whereQueued((listing) => rows.inheritQueues(team, placesOf(listing)));

  const buryQueues = (panes: readonly PaneAddress[]) =>
    whereQueued((listing) => {
      // Where a row is, the one it is of was marked: who stands there without a mark only came to stand there.
      const registered = new Set(stores.roles.read().rows.map(({ pane }) => pane));
      const ids = markedAs(listing, panes, (address) => !registered.has(address));
      return rows.buryQueues(panes, { places: placesOf(listing), ids });
    });

  /** A team may lose very many panes at once. */
  function ofPanes(store: string, act: (panes: readonly PaneAddress[]) => Promise<void>) {
    const runAll = (events: readonly { pane: PaneAddress }[]) => act(events.map(({ pane }) => pane));
    return { store, run: (event: { pane: PaneAddress }) => runAll([event]), runAll };
  }

  return {
    "agent.spawned": [
      { store: "S1", run: ({ pane, role }) => rows.setRole(pane, role) },
      { store: "S2", run: ({ pane, uuid }) => (uuid === null ? undefined : rows.setSession(pane, uuid)) },
      { store: "mark", needsStores: true, run: ({ pane, role }) => mark(pane, role) },
    ],
    "agent.killed": [
      ofPanes("S6", buryQueues),
      ofPanes("holds", rows.removeHolds),
      ofPanes("S2", rows.removeSessions),
      ofPanes("S1", rows.removeRoles),
      { ...ofPanes("mark", marks.remove), needsStores: true },
    ],
    "agent.renamed": [
      { store: "S1", run: ({ pane, new: role }) => rows.setRole(pane, role) },
      { store: "title", needsStores: true, run: ({ pane, new: role }) => marks.setTitle(pane, role) },
      { store: "mark", needsStores: true, run: ({ pane, new: role }) => mark(pane, role) },
    ],
    "agent.forked": [
      { store: "S1", run: ({ pane, role }) => rows.setRole(pane, role) },
      {
        store: "S5",
        ends: "event",
        run: ({ pane, child, parent }) => rows.addFork({ pane, uuid: child, parent }),
      },
      { store: "S2", run: ({ pane, child }) => rows.setSession(pane, child) },
      { store: "mark", needsStores: true, run: ({ pane, role }) => mark(pane, role) },
    ],
    "panes.shifted": follow(({ moves }) => new Map(moves.map(({ from, to }) => [from, to]))),
    "panes.swapped": follow(
      ({ a, b }) =>
        new Map<PaneAddress, PaneAddress>([
          [a, b],
          [b, a],
        ]),
    ),
    "pane.moved": follow(({ from, to }) => new Map([[from, to]])),
    "team.created": [
      { store: "S3", run: ({ team, description }) => rows.setTeam(team, description) },
      { store: "S8", run: ({ team }) => viewer.added(team) },
    ],
    "team.destroyed": [
      { store: "S6", run: ({ team }) => buryQueues(rows.panesOf(team)) },
      { store: "holds", run: ({ team }) => rows.removeHolds(rows.panesOf(team)) },
      { store: "S2", run: ({ team }) => rows.removeSessions(rows.panesOf(team)) },
      { store: "S1", run: ({ team }) => rows.removeRoles(rows.panesOf(team)) },
      { store: "mark", needsStores: true, run: ({ team }) => marks.removeTeam(team) },
      { store: "S8", run: ({ team }) => viewer.removed(team) },
      { store: "S3", run: ({ team }) => rows.removeTeam(team) },
    ],
    "team.restored": [
      { store: "S3", run: ({ team }) => rows.setTeam(team, "") },
      { store: "S6", run: ({ team }) => inheritQueues(team) },
      { store: "S8", run: ({ team }) => viewer.added(team) },
    ],
    "session.changed": [
      { store: "moved", ends: "event", run: (event) => followMovedOn(stores, event) },
      {
        store: "S5",
        ends: "event",
        run: ({ pane, old, new: uuid }) => rows.addFork({ pane, uuid, parent: old }),
      },
      { store: "S2", run: ({ pane, new: uuid }) => rows.setSession(pane, uuid) },
    ],
    "session.dropped": [
      { store: "S5", run: (event) => rows.addFork(lastKnownOf(event), event.state) },
      { store: "S2", run: ({ pane }) => rows.removeSessions([pane]) },
    ],
    "session.forked": [
      {
        store: "S5",
        run: ({ parent, child }) => rows.addFork({ pane: null, uuid: child, parent }, "stale"),
      },
    ],
    "team.renamed": [
      ofTeam("S1", rows.renameRoles),
      ofTeam("S2", rows.renameSessions),
      ofTeam("S6", (old, renamed) => rekeyQueues(teamMoves(stores.queues.panes(), old, renamed))),
      ofTeam("S7", rows.renameActiveTeam),
      ofTeam("S8", (old, renamed) => viewer.renamed(old, renamed)),
      ofTeam("S9", rows.renameSizeLock),
      ofTeam("S10", rows.renameLayout),
      ofTeam("holds", rows.renameHolds),
      ofTeam("S3", rows.renameTeam),
      ofTeam("mark", marks.renameTeam),
    ],
  };
}

function ofTeam(
  store: string,
  rename: (old: TeamName, renamed: TeamName) => Promise<void>,
): Handler<"team.renamed"> {
  return { store, ends: "all", run: (event) => rename(event.old, event.new) };
}

/** Only its row was there: nobody saw a stale session in that pane, and S5 says where sessions were seen. */
function lastKnownOf({ pane, uuid, state }: EventOf<"session.dropped">) {
  return { pane: state === "stale" ? null : pane, uuid, parent: null };
}

/** Finishes what was begun by processes that were killed, or could not go on. */
export async function finishFollowing(stores: Stores, tmux: Tmux): Promise<void> {
  const rows = rowWriter(stores);
  await stores.queues.finish();
  await stores.rekeying.finish(async (rekey) => {
    const places = placesIn(await listServer(tmux), () => keyedRows(stores));
    await rows.finishRekey(rekey, places);
    // Ids begin again on another server, and its panes carry no marks of ours.
    if (places.server?.pid === rekey.serverPid)
      await rows.renewRoles(await markWriter(tmux).follow(rekey.panes));
  });
}
