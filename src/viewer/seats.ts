// Which window is whose, and whether it shows what it is for. Pure.
//
// [VS1] A team's window is the one with its title, whatever number it had before; else the one its client began in.
// [VS2] A window shows a team only if the tmux client in it is attached to exactly that tmux session.
// [VS3] A title with a question mark claims nothing: nobody has seen yet that the team is shown there.

import { limits } from "../limits.js";
import type { TeamName } from "../names/gates.js";
import type { ScreenWindow } from "../screen/window.js";
import type { ViewerWindowRow } from "../stores/viewer-windows.js";
import type { ViewerClient, ViewerLook } from "./look.js";

export type SeatState = "shown" | "ready" | "wrong" | "missing" | "not running";

export interface Seat {
  team: TeamName;
  /** Null without a window. */
  window: number | null;
  /** The tmux session that the window really shows. */
  shows: string | null;
  state: SeatState;
}

export function unseen(team: TeamName): string {
  return `${team}?`;
}

export function seatOf(look: ViewerLook, team: TeamName): Seat {
  const window = placeOf(look, team);
  const isRunning = look.running.has(team);
  if (window === null) return { team, window, shows: null, state: isRunning ? "missing" : "not running" };
  const shows = clientIn(look, team, window)?.shows ?? null;
  if (shows !== team) return { team, window, shows, state: "wrong" };
  const isSeen = look.session.state === "attached" && look.shown === window;
  return { team, window, shows, state: isSeen ? "shown" : "ready" };
}

/** What the window in front claims to be, and is; null where it claims nothing. */
export function shownClaim(
  look: ViewerLook,
  rows: readonly ViewerWindowRow[],
): { named: TeamName; shows: string } | null {
  const title = look.windows.find(({ number }) => number === look.shown)?.title ?? "";
  const named = rows.find(({ team }) => isTitled(title, team))?.team;
  if (named === undefined) return null;
  return { named, shows: clientIn(look, named, look.shown)?.shows ?? "nothing" };
}

/** What does not agree between S8, the titles and what is shown, in words. */
export function differencesOf(look: ViewerLook, rows: readonly ViewerWindowRow[]): string[] {
  return rows.flatMap(({ window: noted, team }) => {
    const { window, shows, state } = seatOf(look, team);
    if (state === "missing") return [`${team} runs and has no window`];
    if (window === null) return [];
    const title = look.windows.find(({ number }) => number === window)!.title;
    return [
      ...(shows === team ? [] : [`window ${window} is for ${team} and shows ${shows ?? "nothing"}`]),
      ...(window === noted ? [] : [`${team} is in window ${window}, noted as ${noted}`]),
      ...(isTitled(title, team) ? [] : [`window ${window} is for ${team} and named "${title}"`]),
    ];
  });
}

export function isTitled(title: string, team: TeamName): boolean {
  return title === team || (title.length >= limits.viewerTitleLength && team.startsWith(title));
}

function placeOf({ windows, clients }: ViewerLook, team: TeamName): number | null {
  const titled = windows.find(({ title }) => isTitled(title, team) || title === unseen(team));
  if (titled !== undefined) return titled.number;
  const began = clients.find(({ named }) => named === team)?.window ?? null;
  const isOthers = ({ title }: ScreenWindow) =>
    clients.some(({ named }) => named !== team && named === title);
  return windows.some((window) => window.number === began && !isOthers(window)) ? began : null;
}

function clientIn({ clients }: ViewerLook, team: TeamName, window: number): ViewerClient | undefined {
  const own = clients.filter(({ named }) => named === team);
  return own.find((client) => client.window === window) ?? own[0];
}
