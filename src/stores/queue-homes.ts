// Where messages belong once panes stand elsewhere. Pure.
//
// [QH1] A message belongs where its pane stands on this tmux server, whatever address it waits at: what is right already
//       stays, so that a second look moves nothing.
// [QH2] A message of which no pane of this server is known belongs to its address, and goes where that went. From then on
//       its pane is known.
// [QH3] A message whose pane is gone, or stands where no row can name it, is never left to another pane that came to
//       stand there: it goes to `dead/`.
// [QH4] In a team that was brought back, a message of which no pane of this server is known is for the one that stands at
//       its address, and follows that one from then on. Where a role is written down, it is only for a pane that is marked
//       there: who stands there without a mark is somebody else.
// [QH5] Before a team is brought back, what waits for panes that are gone, at places where nobody stands, is let go: from
//       then on no pane of this server is known of it. Where another stands by now it is not.

import { isPaneAddress, type PaneAddress, type PaneId } from "../names/gates.js";
import type { AppendFile } from "./append-file.js";
import { compareStamps, type MessageId } from "./queue-rows.js";
import type { Home, Homes, Message, Queues } from "./queues.js";
import { noServer, type Owner, ownersOf, type Receipt, serverKey } from "./receipts.js";
import type { Moves } from "./rekey.js";

/** As tmux lists them, each with the address that its mark says. */
export interface Places {
  server: { pid: number; startedAtMs: number } | null;
  panes: readonly { id: PaneId; address: string; mark: { address: PaneAddress } | null }[];
}

/** Only of those that do not wait where they belong. */
export function homesOf(
  messages: readonly Message[],
  owners: ReadonlyMap<MessageId, Owner>,
  places: Places,
  moves: Moves = new Map(),
): Homes {
  const targets = new Set(moves.values());

  /** Undefined for one that stays where it is. */
  function homeOf({ id, pane }: Message): Home | null | undefined {
    const owned = ownedPlace(pane, owners.get(id), places);
    if (owned !== undefined) return owned === null ? null : { pane: owned, owner: null };
    const to = moves.get(pane);
    if (to !== undefined) return { pane: to, owner: whoMoved(pane, to) };
    return targets.has(pane) ? null : undefined;
  }

  /** By its mark, else who stands there and came from nowhere else: a move may be one of several that follow. */
  function whoMoved(from: PaneAddress, to: PaneAddress): Owner | null {
    const marked = places.panes.filter(({ mark }) => mark?.address === from);
    const isNew = ({ address, mark }: Places["panes"][number]) =>
      address === to && (mark === null || mark.address === to);
    const [pane, ...others] = marked.length > 0 ? marked : places.panes.filter(isNew);
    if (pane === undefined || others.length > 0 || places.server === null) return null;
    return { id: pane.id, server: serverKey(places.server) };
  }

  const homes = new Map<MessageId, Home | null>();
  for (const message of messages) {
    const home = homeOf(message);
    if (home !== undefined && home?.pane !== message.pane) homes.set(message.id, home);
  }
  return homes;
}

/** Whose messages were that wait at these places for panes which are gone, as if their server had gone too. */
export function letGoOf(
  messages: readonly Message[],
  owners: ReadonlyMap<MessageId, Owner>,
  { server, panes }: Places,
  at: ReadonlySet<PaneAddress>,
): ReadonlyMap<MessageId, Owner> {
  const there = new Set<string>(panes.flatMap(({ id, address }) => [id, address]));
  return new Map(
    messages.flatMap(({ id, pane }) => {
      const owner = at.has(pane) && !there.has(pane) ? ownerHere(owners.get(id), { server }) : null;
      return owner === null || there.has(owner) ? [] : [[id, { id: owner, server: noServer }] as const];
    }),
  );
}

/** Whose messages are from now on, of those that wait for a team which was just brought back. `named` places have a role. */
export function heirsOf(
  messages: readonly Message[],
  owners: ReadonlyMap<MessageId, Owner>,
  { server, panes }: Places,
  named: ReadonlySet<string>,
): ReadonlyMap<MessageId, Owner> {
  if (server === null) return new Map();
  const own = panes.filter(({ address, mark }) => mark?.address === address || !named.has(address));
  const at = new Map(own.map(({ address, id }) => [address, { id, server: serverKey(server) }]));
  return new Map(
    messages.flatMap(({ id, pane }) => {
      const heir = ownerHere(owners.get(id), { server }) === null ? at.get(pane) : undefined;
      return heir === undefined ? [] : [[id, heir] as const];
    }),
  );
}

/** Where a message of this pane belongs that waits at `at`: null in `dead/`, undefined if nothing of this server tells. */
export function ownedPlace(
  at: PaneAddress,
  owner: Owner | undefined,
  places: Places,
): PaneAddress | null | undefined {
  const id = ownerHere(owner, places);
  if (id === null) return undefined;
  const place = places.panes.find((pane) => pane.id === id)?.address;
  if (place !== undefined && isPaneAddress(place)) return place;
  return places.panes.some(({ address }) => address === at) ? null : at;
}

/** The pane of this server that a message is for. */
export function ownerHere(owner: Owner | undefined, { server }: Pick<Places, "server">): PaneId | null {
  return owner !== undefined && server !== null && owner.server === serverKey(server) ? owner.id : null;
}

/** What waits for each pane that has a queue, once every message is where it belongs. Nothing is written. */
export function waitingAt(
  { queues, receipts }: { queues: Queues; receipts: AppendFile<Receipt> },
  places: Places,
  moves: Moves,
): ReadonlyMap<PaneAddress, readonly Message[]> {
  const panes = queues.panes();
  const messages = panes.flatMap((pane) => queues.read(pane).messages);
  const owners = messages.length === 0 ? new Map() : ownersOf(receipts.read().rows);
  const homes = homesOf(messages, owners, places, moves);
  const found = new Map<PaneAddress, Message[]>(panes.map((pane) => [pane, []]));
  for (const message of messages) {
    const home = homes.get(message.id);
    if (home === null) continue;
    const pane = home?.pane ?? message.pane;
    if (!found.has(pane)) found.set(pane, []);
    found.get(pane)!.push(message);
  }
  for (const group of found.values()) group.sort((a, b) => compareStamps(a.stamp, b.stamp));
  return found;
}
