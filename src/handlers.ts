// Which event brings which store up to date: as data.
//
// [HA1] Each event reaches the stores of its row in the table, in that order.
// [HA2] A handler that runs again leaves the same rows, and writes nothing.
// [HA3] Rows and marks agree afterwards: a registered pane carries its own id, address and role.

import type { Handler, HandlerTable } from "./events/bus.js";
import type { EventName, EventOf } from "./events/event.js";
import { markWriter } from "./fleet/mark-writer.js";
import type { PaneAddress } from "./names/gates.js";
import type { Moves } from "./stores/rekey.js";
import { rowWriter } from "./stores/row-writer.js";
import type { Stores } from "./stores/stores.js";
import type { Tmux } from "./tmux/tmux.js";

export function handlerTable(stores: Stores, tmux: Tmux): HandlerTable {
  const rows = rowWriter(stores);
  const marks = markWriter(tmux);

  /** Everything that is keyed by address follows its pane. */
  function follow<Name extends EventName>(
    movesOf: (event: EventOf<Name>) => Moves,
  ): readonly Handler<Name>[] {
    return [
      { store: "S1", run: (event) => rows.rekeyRoles(movesOf(event)) },
      { store: "S2", run: (event) => rows.rekeySessions(movesOf(event)) },
      { store: "S6", run: (event) => rows.rekeyQueues(movesOf(event)) },
      { store: "holds", run: (event) => rows.rekeyHolds(movesOf(event)) },
      { store: "mark", run: (event) => marks.rekey(movesOf(event)) },
    ];
  }

  /** A team may lose very many panes at once. */
  function ofPanes(store: string, act: (panes: readonly PaneAddress[]) => Promise<void>) {
    const runAll = (events: readonly { pane: PaneAddress }[]) => act(events.map(({ pane }) => pane));
    return { store, run: (event: { pane: PaneAddress }) => runAll([event]), runAll };
  }

  return {
    "agent.spawned": [
      { store: "S1", run: ({ pane, role }) => rows.setRole(pane, role) },
      { store: "S2", run: ({ pane, uuid }) => (uuid === null ? undefined : rows.setSession(pane, uuid)) },
      { store: "mark", run: ({ pane, role }) => marks.set(pane, role) },
    ],
    "agent.killed": [
      ofPanes("S1", rows.removeRoles),
      ofPanes("S2", rows.removeSessions),
      ofPanes("S6", rows.buryQueues),
      ofPanes("holds", rows.removeHolds),
      ofPanes("mark", marks.remove),
    ],
    "agent.renamed": [
      { store: "S1", run: ({ pane, new: role }) => rows.setRole(pane, role) },
      { store: "title", run: ({ pane, new: role }) => marks.setTitle(pane, role) },
      { store: "mark", run: ({ pane, new: role }) => marks.set(pane, role) },
    ],
    "agent.forked": [
      { store: "S1", run: ({ pane, role }) => rows.setRole(pane, role) },
      { store: "S2", run: ({ pane, child }) => rows.setSession(pane, child) },
      { store: "S5", run: ({ pane, child, parent }) => rows.addFork({ pane, uuid: child, parent }) },
      { store: "mark", run: ({ pane, role }) => marks.set(pane, role) },
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
    // The viewer adds its own window for a new team; a row without a window would name what is not shown.
    "team.created": [{ store: "S3", run: ({ team, description }) => rows.setTeam(team, description) }],
    "team.destroyed": [
      { store: "S3", run: ({ team }) => rows.removeTeam(team) },
      { store: "S8", run: ({ team }) => rows.removeViewerWindow(team) },
      { store: "S1", run: ({ team }) => rows.removeRoles(rows.panesOf(team)) },
      { store: "S2", run: ({ team }) => rows.removeSessions(rows.panesOf(team)) },
      { store: "S6", run: ({ team }) => rows.buryQueues(rows.panesOf(team)) },
      { store: "holds", run: ({ team }) => rows.removeHolds(rows.panesOf(team)) },
      { store: "mark", run: ({ team }) => marks.removeTeam(team) },
    ],
    "team.restored": [{ store: "S3", run: ({ team }) => rows.setTeam(team, "") }],
    "session.changed": [
      { store: "S2", run: ({ pane, new: uuid }) => rows.setSession(pane, uuid) },
      { store: "S5", run: ({ pane, old, new: uuid }) => rows.addFork({ pane, uuid, parent: old }) },
    ],
    "session.dropped": [
      { store: "S2", run: ({ pane }) => rows.removeSessions([pane]) },
      { store: "S5", run: ({ pane, uuid, state }) => rows.addFork({ pane, uuid, parent: null }, state) },
    ],
    "session.forked": [
      {
        store: "S5",
        run: ({ parent, child }) => rows.addFork({ pane: null, uuid: child, parent }, "stale"),
      },
    ],
    "team.renamed": [
      { store: "S1", run: ({ old, new: renamed }) => rows.rekeyRoles(rows.teamMoves(old, renamed)) },
      { store: "S2", run: ({ old, new: renamed }) => rows.rekeySessions(rows.teamMoves(old, renamed)) },
      { store: "S3", run: ({ old, new: renamed }) => rows.renameTeam(old, renamed) },
      { store: "S6", run: ({ old, new: renamed }) => rows.rekeyQueues(rows.teamMoves(old, renamed)) },
      { store: "S7", run: ({ old, new: renamed }) => rows.renameActiveTeam(old, renamed) },
      { store: "S8", run: ({ old, new: renamed }) => rows.renameViewerWindow(old, renamed) },
      { store: "S9", run: ({ old, new: renamed }) => rows.renameSizeLock(old, renamed) },
      { store: "S10", run: ({ old, new: renamed }) => rows.renameLayout(old, renamed) },
      { store: "holds", run: ({ old, new: renamed }) => rows.rekeyHolds(rows.teamMoves(old, renamed)) },
      { store: "mark", run: ({ old, new: renamed }) => marks.renameTeam(old, renamed) },
    ],
  };
}
