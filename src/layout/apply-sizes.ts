// Applies the size floors: detaches abandoned clients, grows windows, then checks which ones kept their size.
//
// tmux sizes a window afterwards as it did before. A window that does not keep its size is reported with the clients
// that hold it.

import type { TeamName } from "../names/gates.js";
import type { Stores } from "../stores/stores.js";
import { isTmuxError } from "../tmux/error.js";
import { type Listing, listServer } from "../tmux/listing.js";
import { attachedClients, detachClient, type TmuxClient } from "../tmux/server.js";
import type { Tmux } from "../tmux/tmux.js";
import { resizeWindow } from "../tmux/window.js";
import { type Growth, planGrowth, type SizeWishes, staleClients, windowsIn } from "./sizes.js";

export interface SizesApplied {
  detached: TmuxClient[];
  grown: Growth[];
  /** Windows that are still, or again, below their floor. */
  stuck: Growth[];
}

export interface SizeWorld {
  tmux: Tmux;
  stores: Pick<Stores, "teams" | "sizeLocks">;
}

/** For all registered teams, or for the given one. */
export async function applySizes(world: SizeWorld, only?: TeamName): Promise<SizesApplied> {
  const { tmux } = world;
  const wishes = wishesOf(world.stores, only);
  const first = await lookAtSizes(tmux);
  const detached = staleClients(first.listing, first.clients, wishes, Date.now());
  for (const client of detached) await detachClient(tmux, client).catch(unlessGone);
  const { listing, clients } = detached.length === 0 ? first : await lookAtSizes(tmux);
  const plan = planGrowth(listing, clients, wishes);
  for (const { window, to } of plan)
    await resizeWindow(tmux, window.id, to.width, to.height).catch(unlessGone);
  if (plan.length === 0) return { detached, grown: [], stuck: [] };
  const after = new Map(windowsIn((await lookAtSizes(tmux)).listing).map((window) => [window.id, window]));
  const stays = ({ window: { id }, to }: Growth) => {
    const now = after.get(id);
    return now === undefined || (now.width >= to.width && now.height >= to.height);
  };
  return { detached, grown: plan.filter(stays), stuck: plan.filter((growth) => !stays(growth)) };
}

export async function lookAtSizes(tmux: Tmux): Promise<{ listing: Listing; clients: TmuxClient[] }> {
  const listing = await listServer(tmux);
  return { listing, clients: listing.sessions.length === 0 ? [] : await attachedClients(tmux) };
}

export function wishesOf({ teams, sizeLocks }: SizeWorld["stores"], only?: TeamName): SizeWishes {
  const registered = teams.read().rows.map(({ team }) => team);
  return {
    teams: new Set(registered.filter((team) => only === undefined || team === only)),
    locks: sizeLocks.read().rows,
  };
}

/** A client or window may go away meanwhile. */
function unlessGone(error: unknown): void {
  if (!isTmuxError(error, "no-target")) throw error;
}
