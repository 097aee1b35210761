// Writes the marks of panes, and the titles that go with them.

import type { PaneAddress, PaneId, Role, TeamName } from "../names/gates.js";
import type { Places } from "../stores/queue-homes.js";
import type { Moves } from "../stores/rekey.js";
import { teamMoves } from "../stores/rekey.js";
import type { PaneMove, Rekey } from "../stores/rekeying.js";
import { findPane, type Listing, listServer, type TmuxPane, type TmuxServer } from "../tmux/listing.js";
import { setPaneOption, setPaneTitle, unsetPaneOption } from "../tmux/pane.js";
import { setSessionOption, unsetSessionOption } from "../tmux/session.js";
import type { Tmux } from "../tmux/tmux.js";
import { formatMark, isTeamMarked, type Mark, markOption, parseMark, teamOption } from "./mark.js";

/** A pane that is not there any more needs no mark: nothing here fails for that. */
export interface MarkWriter {
  /** On which server; null where the pane is gone. */
  set(address: PaneAddress, role: Role): Promise<TmuxServer | null>;
  /** By what a mark says: a pane that only came to stand there keeps its own. */
  remove(addresses: readonly PaneAddress[]): Promise<void>;
  removeTeam(team: TeamName): Promise<void>;
  /** The panes that these moves are of, by their marks. */
  moving(moves: Moves): Promise<Pick<Rekey, "panes" | "serverPid">>;
  /** Those of them that are not marked so yet. */
  follow(moving: readonly PaneMove[]): Promise<void>;
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
    if (!isTeamMarked(pane)) await setSessionOption(tmux, pane.sessionId, teamOption, pane.sessionId);
  }

  async function unmark(panes: readonly TmuxPane[]): Promise<void> {
    for (const pane of panes) if (pane.hivemind !== "") await unsetPaneOption(tmux, pane.id, markOption);
  }

  async function rekeyBy(movesOf: (marked: readonly PaneAddress[]) => Moves): Promise<void> {
    const panes = markedPanes(await listPanes());
    const moves = movesOf(panes.map(({ own }) => own.address));
    for (const { pane, own } of panes) {
      const address = moves.get(own.address);
      if (address !== undefined) await mark(pane, { address, role: own.role });
    }
  }

  return {
    async set(address, role) {
      const listing = await listServer(tmux);
      const pane = findPane(listing, address);
      if (pane === null) return null;
      await mark(pane, { address, role });
      return listing.server;
    },
    async remove(addresses) {
      const listing = await listServer(tmux);
      const ids = markedAs(listing, addresses);
      await unmark(listing.panes.filter(({ id }) => ids.includes(id)));
    },
    async removeTeam(team) {
      const panes = (await listPanes()).filter((pane) => pane.sessionName === team);
      await unmark(panes);
      const own = panes.find(isTeamMarked);
      if (own !== undefined) await unsetSessionOption(tmux, own.sessionId, teamOption);
    },
    async moving(moves) {
      const { server, panes } = await listServer(tmux);
      const moving = markedPanes(panes).flatMap(({ pane: { id }, own: { address: from } }) => {
        const to = moves.get(from);
        return to === undefined ? [] : [{ id, from, to }];
      });
      return { panes: moving, serverPid: server?.pid ?? null };
    },
    async follow(moving) {
      const moves = new Map<PaneId, PaneMove>(moving.map((move) => [move.id, move]));
      for (const { pane, own } of markedPanes(await listPanes())) {
        const move = moves.get(pane.id);
        if (move?.from === own.address) await mark(pane, { address: move.to, role: own.role });
      }
    },
    rekey: (moves) => rekeyBy(() => moves),
    renameTeam: (old, renamed) => rekeyBy((marked) => teamMoves(marked, old, renamed)),
    async setTitle(address, title) {
      const pane = findPane(await listServer(tmux), address);
      if (pane !== null) await setPaneTitle(tmux, pane.id, title);
    },
  };
}

/** Where the panes stand, and where their marks say. */
export function placesIn({ server, panes }: Listing): Places {
  const placed = panes.map(({ id, address, hivemind }) => ({ id, address, mark: parseMark(id, hivemind) }));
  return { server, panes: placed };
}

/** The panes that these addresses are of: whose marks say so, else, where that may be, who stands there without one. */
export function markedAs(
  { panes }: Listing,
  addresses: readonly PaneAddress[],
  mayBeBare: (address: PaneAddress) => boolean = () => true,
): PaneId[] {
  const wanted = new Set<string>(addresses);
  const marked = markedPanes(panes).filter(({ own }) => wanted.has(own.address));
  const taken = new Set<string>(marked.map(({ own }) => own.address));
  const isBare = ({ id, hivemind, address }: TmuxPane) =>
    parseMark(id, hivemind) === null && wanted.has(address) && !taken.has(address) && mayBeBare(address);
  return [...marked.map(({ pane }) => pane), ...panes.filter(isBare)].map(({ id }) => id);
}

function markedPanes(panes: readonly TmuxPane[]): { pane: TmuxPane; own: Mark }[] {
  return panes.flatMap((pane) => {
    const own = parseMark(pane.id, pane.hivemind);
    return own === null ? [] : [{ pane, own }];
  });
}
