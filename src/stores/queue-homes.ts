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
//       then on no pane of this server is known of it. Where another stands by now it is not, but for QH6.
// [QH6] At a place that is kept for who is brought back, only what is known to be for the pane that stands there is that
//       one's. All else waits for the agent of the place, whoever stands there: it is let go, and it is not dead. Where the
//       place gives way, it goes along, and who stands at the new one without a mark is not taken for that agent.
// [QH7] What was queued since the tmux session stands in which that agent was not brought back, for a pane that is gone,
//       was for somebody else who stood there: that agent does not get it.
// [QH8] A pane that stands where no row can name it is not gone.

import { isPaneAddress, type PaneAddress, type PaneId } from "../names/gates.js";
import type { AppendFile } from "./append-file.js";
import { compareStamps, type MessageId, secondsOf } from "./queue-rows.js";
import type { Home, Homes, Message, Queues } from "./queues.js";
import { noServer, type Owner, ownersOf, type Receipt, serverKey } from "./receipts.js";
import type { Moves } from "./rekey.js";

/** As tmux lists them, each with the address that its mark says. */
export interface Places {
  server: { pid: number; startedAtMs: number } | null;
  panes: readonly { id: PaneId; address: string; mark: { address: PaneAddress } | null }[];
}

/** With the places that are kept for agents which were not brought back. */
export interface KeptPlaces extends Places {
  /** Each with the time since which the tmux session stands in which they were not. */
  kept: ReadonlyMap<PaneAddress, number>;
}

/** Only of those that do not wait where they belong. */
export function homesOf(
  messages: readonly Message[],
  owners: ReadonlyMap<MessageId, Owner>,
  places: KeptPlaces,
  moves: Moves = new Map(),
): Homes {
  const targets = new Set(moves.values());

  /** Undefined for one that stays where it is. */
  function homeOf(message: Message): Home | null | undefined {
    const { id, pane } = message;
    const owner = ownerHere(owners.get(id), places);
    const to = moves.get(pane);
    if (owner !== null && placeOf(owner, places) === null) {
      const isGone = !places.panes.some((each) => each.id === owner);
      if (isGone && isSince(message, places.kept.get(pane))) return null;
      const isKept = to !== undefined && places.kept.has(to) && !isSince(message, places.kept.get(to));
      if (isKept) return { pane: to, owner: letGo(owner) };
    }
    const owned = ownedPlace(pane, owners.get(id), places);
    if (owned !== undefined) return owned === null ? null : { pane: owned, owner: null };
    if (to !== undefined) return { pane: to, owner: whoMoved(pane, to) };
    return targets.has(pane) ? null : undefined;
  }

  /** By its mark, else who stands there and came from nowhere else: a move may be one of several that follow. */
  function whoMoved(from: PaneAddress, to: PaneAddress): Owner | null {
    const marked = places.panes.filter(({ mark }) => mark?.address === from);
    const isNew = ({ address, mark }: Places["panes"][number]) =>
      address === to && (mark === null ? !places.kept.has(to) : mark.address === to);
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
  { server, panes, kept }: KeptPlaces,
  at: ReadonlySet<PaneAddress>,
): ReadonlyMap<MessageId, Owner> {
  const there = new Set<string>(panes.flatMap(({ id, address }) => [id, address]));
  const isFree = (pane: PaneAddress) => kept.has(pane) || !there.has(pane);
  return new Map(
    messages.flatMap((message) => {
      const { id, pane } = message;
      const isIts = at.has(pane) && isFree(pane) && !isSince(message, kept.get(pane));
      const owner = isIts ? ownerHere(owners.get(id), { server }) : null;
      return owner === null || there.has(owner) ? [] : [[id, letGo(owner)] as const];
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
  places: KeptPlaces,
): PaneAddress | null | undefined {
  const id = ownerHere(owner, places);
  if (id === null) return undefined;
  const place = placeOf(id, places);
  if (place !== null) return place;
  return places.panes.some(({ address }) => address === at) && !places.kept.has(at) ? null : at;
}

/** Whether it waits for the agent that its place is kept for. */
export function isForAwaited(message: Message, owner: Owner | undefined, places: KeptPlaces): boolean {
  const since = places.kept.get(message.pane);
  const id = ownerHere(owner, places);
  if (since === undefined || id === null) return since !== undefined;
  return placeOf(id, places) === null && !isSince(message, since);
}

function isSince({ stamp }: Message, ms: number | undefined): boolean {
  return ms !== undefined && secondsOf(stamp) * 1000 > ms;
}

function letGo(id: PaneId): Owner {
  return { id, server: noServer };
}

/** Null for one that is gone, and where no row can name it. */
function placeOf(id: PaneId, { panes }: Places): PaneAddress | null {
  const place = panes.find((pane) => pane.id === id)?.address;
  return place !== undefined && isPaneAddress(place) ? place : null;
}

/** The pane of this server that a message is for. */
export function ownerHere(owner: Owner | undefined, { server }: Pick<Places, "server">): PaneId | null {
  return owner !== undefined && server !== null && owner.server === serverKey(server) ? owner.id : null;
}

export interface Waiting {
  /** For each pane that has a queue, once every message is where it belongs. */
  forPanes: ReadonlyMap<PaneAddress, readonly Message[]>;
  /** At places that are kept: for who is brought back. */
  forAwaited: ReadonlyMap<PaneAddress, readonly Message[]>;
}

/** Nothing is written. */
export function waitingAt(
  { queues, receipts }: { queues: Queues; receipts: AppendFile<Receipt> },
  places: KeptPlaces,
  moves: Moves,
): Waiting {
  const panes = queues.panes();
  const messages = panes.flatMap((pane) => queues.read(pane).messages);
  const owners = messages.length === 0 ? new Map() : ownersOf(receipts.read().rows);
  const homes = homesOf(messages, owners, places, moves);
  const forPanes = new Map<PaneAddress, Message[]>(panes.map((pane) => [pane, []]));
  const forAwaited = new Map<PaneAddress, Message[]>();
  for (const message of messages) {
    const home = homes.get(message.id);
    if (home === null) continue;
    const pane = home?.pane ?? message.pane;
    const isAwaited = home === undefined && isForAwaited(message, owners.get(message.id), places);
    const found = isAwaited ? forAwaited : forPanes;
    if (!found.has(pane)) found.set(pane, []);
    found.get(pane)!.push(message);
  }
  for (const group of [...forPanes.values(), ...forAwaited.values()])
    group.sort((a, b) => compareStamps(a.stamp, b.stamp));
  return { forPanes, forAwaited };
}
