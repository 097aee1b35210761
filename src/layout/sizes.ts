// The least size that a team's windows have, and who keeps them below it. Pure.
//
// [ZS1] A window only grows, to the largest floor of the teams that show it, and only while nobody looks at any of them
//       with a client that counts.
// [ZS2] A window that several tmux sessions show is resized once.
// [ZS3] A team without a lock is left as it is unless it has collapsed; an unregistered tmux session always is.
// [ZS4] Only a client that just looks is ever detached: one in a terminal that nobody can read in, or below the floor
//       and without a sign of life for long.

import { limits } from "../limits.js";
import type { SizeLockRow } from "../stores/size-locks.js";
import type { Listing, TmuxPane, TmuxSessionId, WindowId } from "../tmux/listing.js";
import type { TmuxClient } from "../tmux/server.js";

export interface Size {
  width: number;
  height: number;
}

export interface SizeWishes {
  /** The registered teams that are meant. */
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

/** What is below its floor, whoever looks at it. */
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

/** Whether tmux takes a window's size from it: it minds `ignore-size` only while there is a client without it. */
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
