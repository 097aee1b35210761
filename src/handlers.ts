// Which event updates which store, as a table. The roster and its views are written before any event.
//
// [HA1] Each event reaches the stores of its table row, in that order.
// [HA2] A handler that runs twice leaves the same rows and writes nothing the second time.
// [HA3] If a store cannot be written, a rename stops there. The tmux session still has the old name, so the next
//       change finishes the rename.

import type { Handler, HandlerTable } from "./events/bus.js";
import type { TeamName } from "./names/gates.js";
import { rowWriter } from "./stores/file/row-writer.js";
import type { Stores } from "./stores/stores.js";
import { setPaneTitle } from "./tmux/pane.js";
import type { Tmux } from "./tmux/tmux.js";
import type { ViewerFollower } from "./viewer/follow.js";

export function handlerTable(stores: Stores, tmux: Tmux, viewer: ViewerFollower): HandlerTable {
  const rows = rowWriter(stores);

  /** The client rewrites its own title; hivemind does not set it again. */
  async function setTitle(agent: string | undefined, title: string | null): Promise<void> {
    const seat = stores.roster.read().agents.find(({ id }) => id === agent)?.seat;
    if (seat && title !== null) await setPaneTitle(tmux, seat.pane, title).catch(() => {});
  }

  return {
    "agent.renamed": [{ store: "title", run: ({ agent, new: role }) => setTitle(agent, role) }],
    "team.created": [
      { store: "S3", run: ({ team, description }) => rows.setTeam(team, description) },
      { store: "S8", run: ({ team }) => viewer.added(team) },
    ],
    "team.destroyed": [
      { store: "S8", run: ({ team }) => viewer.removed(team) },
      { store: "S3", run: ({ team }) => rows.removeTeam(team) },
    ],
    "team.restored": [
      { store: "S3", run: ({ team }) => rows.setTeam(team, "") },
      { store: "S8", run: ({ team }) => viewer.added(team) },
    ],
    "session.forked": [
      {
        store: "S5",
        run: ({ parent, child: uuid }) =>
          rows.addForks([{ pane: null, role: null, uuid, parent, state: "stale" }]),
      },
    ],
    "team.renamed": [
      ofTeam("S7", rows.renameActiveTeam),
      ofTeam("S8", (old, renamed) => viewer.renamed(old, renamed)),
      ofTeam("S9", rows.renameSizeLock),
      ofTeam("S10", rows.renameLayout),
      ofTeam("S3", rows.renameTeam),
    ],
  };
}

function ofTeam(
  store: string,
  rename: (old: TeamName, renamed: TeamName) => Promise<void>,
): Handler<"team.renamed"> {
  return { store, isBuiltOn: true, run: (event) => rename(event.old, event.new) };
}
