// Which event brings which store up to date: as data.
//
// [HA1] Each event reaches the stores of its row in the table, in that order.
// [HA2] A handler that runs again leaves the same rows, and writes nothing.
// [HA3] Rows and marks agree afterwards: a registered pane carries its own id, address and role.
// [HA4] Killed at any moment while panes are followed, the next who changes a team finishes it: each row and message
//       has followed its pane once.

import type { Handler, HandlerTable } from "./events/bus.js";
import type { EventName, EventOf } from "./events/event.js";
import { markedAs, markWriter, placesIn } from "./fleet/mark-writer.js";
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

  /** Everything that is keyed by address follows its pane. */
  function follow<Name extends EventName>(
    movesOf: (event: EventOf<Name>) => Moves,
  ): readonly Handler<Name>[] {
    return [
      { store: "rekey", run: (event) => begin(movesOf(event)) },
      { store: "S1", run: (event) => rows.rekeyRoles(movesOf(event)) },
      { store: "S2", run: (event) => rows.rekeySessions(movesOf(event)) },
      { store: "S6", run: (event) => rekeyQueues(movesOf(event)) },
      { store: "holds", run: (event) => rows.rekeyHolds(movesOf(event)) },
      { store: "mark", run: (event) => marks.rekey(movesOf(event)) },
      { store: "rekey", run: () => stores.rekeying.end() },
    ];
  }

  async function begin(moves: Moves): Promise<void> {
    const moving = await marks.moving(moves);
    stores.rekeying.begin({ moves: [...moves], ...moving, before: rows.rowsBefore(moves) });
  }

  async function mark(pane: PaneAddress, role: Role): Promise<void> {
    const server = await marks.set(pane, role);
    if (server !== null) await rows.renewRole(pane, server.startedAtMs);
  }

  async function whereQueued(act: (listing: Listing) => Promise<void>): Promise<void> {
    if (stores.queues.panes().length > 0) await act(await listServer(tmux));
  }

  const rekeyQueues = (moves: Moves) => whereQueued((listing) => rows.rekeyQueues(moves, placesIn(listing)));

  const inheritQueues = (team: TeamName) =>
    whereQueued((listing) => rows.inheritQueues(team, placesIn(listing)));

  const buryQueues = (panes: readonly PaneAddress[]) =>
    whereQueued((listing) => {
      // Where a row is, the one it is of was marked: who stands there without a mark only came to stand there.
      const registered = new Set(stores.roles.read().rows.map(({ pane }) => pane));
      const ids = markedAs(listing, panes, (address) => !registered.has(address));
      return rows.buryQueues(panes, { places: placesIn(listing), ids });
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
      { store: "mark", run: ({ pane, role }) => mark(pane, role) },
    ],
    // What tells that it is gone goes last: killed before that, the next look finds it again.
    "agent.killed": [
      ofPanes("S6", buryQueues),
      ofPanes("holds", rows.removeHolds),
      ofPanes("S1", rows.removeRoles),
      ofPanes("S2", rows.removeSessions),
      ofPanes("mark", marks.remove),
    ],
    "agent.renamed": [
      { store: "S1", run: ({ pane, new: role }) => rows.setRole(pane, role) },
      { store: "title", run: ({ pane, new: role }) => marks.setTitle(pane, role) },
      { store: "mark", run: ({ pane, new: role }) => mark(pane, role) },
    ],
    "agent.forked": [
      { store: "S1", run: ({ pane, role }) => rows.setRole(pane, role) },
      { store: "S2", run: ({ pane, child }) => rows.setSession(pane, child) },
      { store: "S5", run: ({ pane, child, parent }) => rows.addFork({ pane, uuid: child, parent }) },
      { store: "mark", run: ({ pane, role }) => mark(pane, role) },
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
      { store: "S1", run: ({ team }) => rows.removeRoles(rows.panesOf(team)) },
      { store: "S2", run: ({ team }) => rows.removeSessions(rows.panesOf(team)) },
      { store: "mark", run: ({ team }) => marks.removeTeam(team) },
      { store: "S8", run: ({ team }) => viewer.removed(team) },
      { store: "S3", run: ({ team }) => rows.removeTeam(team) },
    ],
    "team.restored": [
      { store: "S3", run: ({ team }) => rows.setTeam(team, "") },
      { store: "S6", run: ({ team }) => inheritQueues(team) },
      { store: "S8", run: ({ team }) => viewer.added(team) },
    ],
    "session.changed": [
      { store: "S2", run: ({ pane, new: uuid }) => rows.setSession(pane, uuid) },
      { store: "S5", run: ({ pane, old, new: uuid }) => rows.addFork({ pane, uuid, parent: old }) },
      { store: "moved", run: (event) => followMovedOn(stores, event) },
    ],
    "session.dropped": [
      { store: "S5", run: ({ pane, uuid, state }) => rows.addFork({ pane, uuid, parent: null }, state) },
      { store: "S2", run: ({ pane }) => rows.removeSessions([pane]) },
    ],
    "session.forked": [
      {
        store: "S5",
        run: ({ parent, child }) => rows.addFork({ pane: null, uuid: child, parent }, "stale"),
      },
    ],
    "team.renamed": [
      { store: "S1", run: ({ old, new: renamed }) => rows.renameRoles(old, renamed) },
      { store: "S2", run: ({ old, new: renamed }) => rows.renameSessions(old, renamed) },
      { store: "S3", run: ({ old, new: renamed }) => rows.renameTeam(old, renamed) },
      {
        store: "S6",
        run: ({ old, new: renamed }) => rekeyQueues(teamMoves(stores.queues.panes(), old, renamed)),
      },
      { store: "S7", run: ({ old, new: renamed }) => rows.renameActiveTeam(old, renamed) },
      { store: "S8", run: ({ old, new: renamed }) => viewer.renamed(old, renamed) },
      { store: "S9", run: ({ old, new: renamed }) => rows.renameSizeLock(old, renamed) },
      { store: "S10", run: ({ old, new: renamed }) => rows.renameLayout(old, renamed) },
      { store: "holds", run: ({ old, new: renamed }) => rows.renameHolds(old, renamed) },
      { store: "mark", run: ({ old, new: renamed }) => marks.renameTeam(old, renamed) },
    ],
  };
}

/** Finishes what killed processes began. */
export async function finishFollowing(stores: Stores, tmux: Tmux): Promise<void> {
  const rows = rowWriter(stores);
  await stores.queues.finish();
  await stores.rekeying.finish(async (rekey) => {
    const places = placesIn(await listServer(tmux));
    await rows.finishRekey(rekey, places);
    // Ids begin again on another server, and its panes carry no marks of ours.
    if (places.server?.pid === rekey.serverPid) await markWriter(tmux).follow(rekey.panes);
  });
}
