// The minimum size of a team's windows, and which clients keep them below it. Pure.
//
// - A window only grows, to the largest floor of the teams that show it, and only while no client that counts is
//   attached to any of them. A window of several tmux sessions is resized once.
// - A team without a lock is left alone unless it has collapsed. An unregistered tmux session is always left alone.
// - Only a read-only client is ever detached: one in an unreadably small terminal, or one below the floor that was
//   idle for long.

import { limits } from "../limits.js";
import type { SizeLockRow } from "../stores/size-locks.js";
import type { Listing, TmuxPane, TmuxSessionId, WindowId } from "../tmux/listing.js";
import type { TmuxClient } from "../tmux/server.js";

export interface Size {
  width: number;
  height: number;
}

export interface SizeWishes {
  /** The registered teams to handle. */
  teams: ReadonlySet<string>;
  locks: readonly SizeLockRow[];
}

export interface TeamWindow extends Size {
  id: WindowId;
  /** The tmux sessions that show it. */
  shownBy: readonly string[];
}

interface Shown {
  panes: readonly TmuxPane[];
}

export interface Growth {
  window: TeamWindow;
  to: Size;
}

/** Every window once. */
export function windowsIn({ panes }: Shown): TeamWindow[] {
  const windows = new Map<WindowId, TeamWindow>();
  for (const { windowId: id, windowWidth: width, windowHeight: height, sessionName, alsoAt } of panes) {
    const others = alsoAt.map((address) => address.slice(0, address.lastIndexOf(":")));
    windows.set(id, { id, width, height, shownBy: [...new Set([sessionName, ...others])] });
  }
  return [...windows.values()];
}

export function planGrowth(
  listing: Shown & Pick<Listing, "sessions">,
  clients: readonly TmuxClient[],
  wishes: SizeWishes,
): Growth[] {
  const names = new Map(listing.sessions.map(({ id, name }) => [id, name]));
  const counting = clients.filter((client) => counts(client, clients));
  const watched = new Set(counting.map((client) => nameOf(client, names)));
  return tooSmall(listing, wishes).filter(({ window }) => !window.shownBy.some((name) => watched.has(name)));
}

/** The windows below their floor, whether clients are attached or not. */
export function tooSmall(listing: Shown, wishes: SizeWishes): Growth[] {
  return windowsIn(listing).flatMap((window) => {
    const floors = floorsOf(window, wishes);
    const to = {
      width: Math.max(window.width, ...floors.map(({ width }) => width)),
      height: Math.max(window.height, ...floors.map(({ height }) => height)),
    };
    const isRight = to.width === window.width && to.height === window.height;
    return floors.length === 0 || isRight ? [] : [{ window, to }];
  });
}

export function staleClients(
  listing: Pick<Listing, "sessions">,
  clients: readonly TmuxClient[],
  { teams, locks }: SizeWishes,
  nowMs: number,
): TmuxClient[] {
  const names = new Map(listing.sessions.map(({ id, name }) => [id, name]));
  return clients.filter((client) => {
    const team = nameOf(client, names);
    if (!client.readOnly || !counts(client, clients) || !teams.has(team)) return false;
    const idleMs = nowMs - client.activeAtMs;
    if (isCollapsed(client)) return idleMs >= limits.collapsedClientMs;
    const floor = locks.find((lock) => lock.team === team);
    const isBelow = floor !== undefined && (client.width < floor.width || client.height < floor.height);
    return isBelow && !client.ignoresSize && idleMs >= limits.staleClientMs;
  });
}

/**
 * Whether tmux takes a window's size from it: tmux honours `ignore-size` only while there is a client without it.
 */
export function counts(client: TmuxClient, all: readonly TmuxClient[]): boolean {
  return !client.ignoresSize || all.every(({ ignoresSize }) => ignoresSize);
}

export function isCollapsed({ width, height }: Size): boolean {
  return width < limits.collapsedWidth || height < limits.collapsedHeight;
}

function floorsOf(window: TeamWindow, { teams, locks }: SizeWishes): Size[] {
  const rescue = { width: limits.floorWidth, height: limits.floorHeight };
  return window.shownBy.flatMap((name): Size[] => {
    if (!teams.has(name)) return [];
    const lock = locks.find(({ team }) => team === name);
    return lock !== undefined ? [lock] : isCollapsed(window) ? [rescue] : [];
  });
}

function nameOf({ sessionId }: TmuxClient, names: ReadonlyMap<TmuxSessionId, string>): string {
  return names.get(sessionId) ?? "";
}
