// Writes the marks of panes, and the titles that go with them.

import type { PaneAddress, Role, TeamName } from "../names/gates.js";
import type { Moves } from "../stores/rekey.js";
import { teamMoves } from "../stores/rekey.js";
import { findPane, listServer, type TmuxPane } from "../tmux/listing.js";
import { setPaneOption, setPaneTitle, unsetPaneOption } from "../tmux/pane.js";
import type { Tmux } from "../tmux/tmux.js";
import { formatMark, type Mark, markOption, parseMark } from "./mark.js";

/** A pane that is not there any more needs no mark: nothing here fails for that. */
export interface MarkWriter {
  set(address: PaneAddress, role: Role): Promise<void>;
  /** By what a mark says: a pane that only came to stand there keeps its own. */
  remove(addresses: readonly PaneAddress[]): Promise<void>;
  removeTeam(team: TeamName): Promise<void>;
  /** Panes whose mark says an old address get the new one. */
  rekey(moves: Moves): Promise<void>;
  renameTeam(old: TeamName, renamed: TeamName): Promise<void>;
  setTitle(address: PaneAddress, title: string): Promise<void>;
}

export function markWriter(tmux: Tmux): MarkWriter {
  const listPanes = async () => (await listServer(tmux)).panes;

  async function mark(pane: TmuxPane, wanted: Mark): Promise<void> {
    const value = formatMark(pane.id, wanted);
    if (pane.hivemind !== value) await setPaneOption(tmux, pane.id, markOption, value);
  }

  async function unmark(panes: readonly TmuxPane[]): Promise<void> {
    for (const pane of panes) if (pane.hivemind !== "") await unsetPaneOption(tmux, pane.id, markOption);
  }

  async function rekeyBy(movesOf: (marked: readonly PaneAddress[]) => Moves): Promise<void> {
    const marked = (await listPanes()).flatMap((pane) => {
      const own = parseMark(pane.id, pane.hivemind);
      return own === null ? [] : [{ pane, own }];
    });
    const moves = movesOf(marked.map(({ own }) => own.address));
    for (const { pane, own } of marked) {
      const address = moves.get(own.address);
      if (address !== undefined) await mark(pane, { address, role: own.role });
    }
  }

  return {
    async set(address, role) {
      const pane = findPane(await listServer(tmux), address);
      if (pane !== null) await mark(pane, { address, role });
    },
    async remove(addresses) {
      const isOf = ({ id, address, hivemind }: TmuxPane) =>
        addresses.includes(parseMark(id, hivemind)?.address ?? address);
      await unmark((await listPanes()).filter(isOf));
    },
    async removeTeam(team) {
      await unmark((await listPanes()).filter((pane) => pane.sessionName === team));
    },
    rekey: (moves) => rekeyBy(() => moves),
    renameTeam: (old, renamed) => rekeyBy((marked) => teamMoves(marked, old, renamed)),
    async setTitle(address, title) {
      const pane = findPane(await listServer(tmux), address);
      if (pane !== null) await setPaneTitle(tmux, pane.id, title);
    },
  };
}
