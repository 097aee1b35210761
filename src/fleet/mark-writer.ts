// Writes the marks of panes, and the titles that go with them.

import { addressParts, type PaneAddress, type PaneId, type Role, type TeamName } from "../names/gates.js";
import type { KeptPlaces } from "../stores/queue-homes.js";
import type { Moves } from "../stores/rekey.js";
import { teamMoves } from "../stores/rekey.js";
import type { PaneMove, Rekey } from "../stores/rekeying.js";
import { findPane, type Listing, listServer, type TmuxPane } from "../tmux/listing.js";
import { setPaneOption, setPaneTitle, unsetPaneOption } from "../tmux/pane.js";
import { setSessionOption, unsetSessionOption } from "../tmux/session.js";
import type { Tmux } from "../tmux/tmux.js";
import { since } from "./homes.js";
import {
  formatMark,
  formatTeamMark,
  isTeamMarked,
  type Mark,
  markOption,
  parseMark,
  teamOption,
} from "./mark.js";
import type { Keyed } from "./moves.js";
import { findShifts, homesIn } from "./shifts.js";

/** A pane that is not there any more needs no mark: nothing here fails for that. */
export interface MarkWriter {
  set(address: PaneAddress, role: Role): Promise<Created>;
  /** By what a mark says: a pane that only came to stand there keeps its own. */
  remove(addresses: readonly PaneAddress[]): Promise<void>;
  removeTeam(team: TeamName): Promise<void>;
  /** The panes that these moves are of, by their marks. */
  moving(moves: Moves): Promise<Pick<Rekey, "panes" | "serverPid">>;
  /** Those of them that are not marked so yet. */
  follow(moving: readonly PaneMove[]): Promise<Created>;
  /** Panes whose mark says an old address get the new one. */
  rekey(moves: Moves): Promise<Created>;
  renameTeam(old: TeamName, renamed: TeamName): Promise<void>;
  setTitle(address: PaneAddress, title: string): Promise<void>;
}

/** By the address of each pane that was marked: when its tmux session began. */
export type Created = ReadonlyMap<PaneAddress, number>;

export function markWriter(tmux: Tmux): MarkWriter {
  const listPanes = async () => (await listServer(tmux)).panes;

  async function mark(pane: TmuxPane, wanted: Mark): Promise<[PaneAddress, number]> {
    const value = formatMark(pane.id, wanted);
    if (pane.hivemind !== value) await setPaneOption(tmux, pane.id, markOption, value);
    // Of several places the one that its mark names is its address, from now on.
    const isElsewhere = pane.alsoAt.some((address) => address === wanted.address);
    const placed = (isElsewhere ? findPane(await listServer(tmux), pane.id) : null) ?? pane;
    const team = formatTeamMark(placed.sessionId, addressParts(wanted.address).team);
    if (placed.team !== team) await setSessionOption(tmux, placed.sessionId, teamOption, team);
    return [wanted.address, placed.sessionCreatedMs];
  }

  async function unmark(panes: readonly TmuxPane[]): Promise<void> {
    for (const pane of panes) if (pane.hivemind !== "") await unsetPaneOption(tmux, pane.id, markOption);
  }

  async function rekeyBy(movesOf: (marked: readonly PaneAddress[]) => Moves): Promise<Created> {
    const created = new Map<PaneAddress, number>();
    const panes = markedPanes(await listPanes());
    const moves = movesOf(panes.map(({ own }) => own.address));
    for (const { pane, own } of panes) {
      const address = moves.get(own.address);
      if (address !== undefined) created.set(...(await mark(pane, { address, role: own.role })));
    }
    return created;
  }

  return {
    async set(address, role) {
      const pane = findPane(await listServer(tmux), address);
      return new Map(pane === null ? [] : [await mark(pane, { address, role })]);
    },
    async remove(addresses) {
      const listing = await listServer(tmux);
      const ids = markedAs(listing, addresses);
      await unmark(listing.panes.filter(({ id }) => ids.includes(id)));
    },
    async removeTeam(team) {
      const panes = await listPanes();
      const markedTeam = ({ id, hivemind }: TmuxPane) => {
        const own = parseMark(id, hivemind);
        return own === null ? null : addressParts(own.address).team;
      };
      const there = panes.filter(({ sessionName }) => sessionName === team);
      await unmark(panes.filter((pane) => (markedTeam(pane) ?? pane.sessionName) === team));
      // Panes of another team may only borrow the name: that they are registered stays true.
      const isBorrowed = there.some((pane) => (markedTeam(pane) ?? team) !== team);
      const marked = there.find(isTeamMarked);
      if (marked !== undefined && !isBorrowed) await unsetSessionOption(tmux, marked.sessionId, teamOption);
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
      const created = new Map<PaneAddress, number>();
      for (const { pane, own } of markedPanes(await listPanes())) {
        const move = moves.get(pane.id);
        if (move?.from === own.address)
          created.set(...(await mark(pane, { address: move.to, role: own.role })));
      }
      return created;
    },
    rekey: (moves) => rekeyBy(() => moves),
    async renameTeam(old, renamed) {
      await rekeyBy((marked) => teamMoves(marked, old, renamed));
    },
    async setTitle(address, title) {
      const pane = findPane(await listServer(tmux), address);
      if (pane !== null) await setPaneTitle(tmux, pane.id, title);
    },
  };
}

/**
 * Where messages find their panes, and where the marks of these say. Who runs in them is not looked at: every role with a
 * time counts as awaited where no marked pane stands or belongs, so that what may wait for somebody is left to a look that tells.
 */
export function placesIn({ server, panes }: Listing, stored: () => Keyed): KeptPlaces {
  const placed = panes.map((pane) => ({ ...pane, mark: parseMark(pane.id, pane.hivemind) }));
  const marked = new Set<string>(
    placed.flatMap(({ address, mark }) => (mark === null ? [] : [address, mark.address])),
  );
  const awaited = stored().roles.filter(({ pane, epoch }) => epoch !== null && !marked.has(pane));
  const homes = homesIn({ server, panes: placed, shifts: findShifts(placed, stored) });
  const kept = since(
    awaited.map(({ pane }) => pane),
    panes,
  );
  return { ...homes, kept };
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
