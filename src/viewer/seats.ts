// Which window is whose, and whether it shows what it is for. Pure.
//
// [VS1] A team's window is the one with its title, whatever number it had before; else the one its client began in. A
//       title that came short is a team's only if it is the beginning of no other name that is known.
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

/** Its window shows it. */
export function isSound({ state }: Seat): boolean {
  return state === "shown" || state === "ready";
}

/** What the window in front claims to be, and is; null where it claims nothing. */
export function shownClaim(
  look: ViewerLook,
  rows: readonly ViewerWindowRow[],
): { named: TeamName; shows: string } | null {
  const title = look.windows.find(({ number }) => number === look.shown)?.title ?? "";
  const isShort = (team: TeamName) => isTitled(look, title, team) && placeOf(look, team) === look.shown;
  const named = rows.find(({ team }) => team === title) ?? rows.find(({ team }) => isShort(team));
  if (named === undefined) return null;
  return { named: named.team, shows: clientIn(look, named.team, look.shown)?.shows ?? "nothing" };
}

/** One thing that a window is for, or S8 notes, beside what it is. */
export interface Difference {
  team: TeamName;
  expected: string;
  actual: string;
  /** The same for a person. */
  words: string;
  /** False for a window that names no team yet: nobody has seen what it shows. */
  isClaimed: boolean;
}

/** What does not agree between S8, the titles and what is shown. */
export function differencesOf(look: ViewerLook, rows: readonly ViewerWindowRow[]): Difference[] {
  const found = rows.flatMap(({ window: noted, team }) => {
    const { window, shows, state } = seatOf(look, team);
    const title = look.windows.find(({ number }) => number === window)?.title ?? "";
    const isClaimed = title !== unseen(team);
    const other = (expected: string, actual: string, words: string): Difference => ({
      ...{ team, expected, actual, words },
      isClaimed,
    });
    if (state === "missing") return [other("a window", "none", `${team} runs and has no window`)];
    if (window === null) return [];
    const isFor = `window ${window} is for ${team}`;
    return [
      ...(shows === team
        ? []
        : [other(team, shows ?? "nothing", `${isFor} and shows ${shows ?? "nothing"}`)]),
      ...(window === noted
        ? []
        : [
            other(`window ${noted}`, `window ${window}`, `${team} is in window ${window}, noted as ${noted}`),
          ]),
      ...(isTitled(look, title, team)
        ? []
        : [other(`title ${team}`, `title ${title}`, `${isFor} and named "${title}"`)]),
    ];
  });
  // Of two windows with one title a team's own is the first; the one in front may be the other.
  const claim = shownClaim(look, rows);
  if (claim === null || claim.named === claim.shows) return found;
  if (found.some(({ team, actual }) => team === claim.named && actual === claim.shows)) return found;
  const { named: team, shows: actual } = claim;
  const words = `window ${look.shown} is for ${team} and shows ${actual}`;
  return [...found, { team, expected: team, actual, words, isClaimed: true }];
}

/** Whether the window of this team says its name, as far as the title can be seen. */
export function isTitled(look: ViewerLook, title: string, team: TeamName): boolean {
  return title === team || (isBeginning(title, team) && !otherNames(look, team).includes(title));
}

function placeOf(look: ViewerLook, team: TeamName): number | null {
  const { windows, clients } = look;
  const others = otherNames(look, team);
  const isOnlyTeams = (title: string) =>
    isBeginning(title, team) && !others.some((other) => other.startsWith(title));
  const titled =
    windows.find(({ title }) => title === team || title === unseen(team)) ??
    windows.find(({ title }) => isOnlyTeams(title));
  if (titled !== undefined) return titled.number;
  const began = clients.find(({ named }) => named === team)?.window ?? null;
  const isOthers = ({ title }: ScreenWindow) =>
    clients.some(({ named }) => named !== team && named === title);
  return windows.some((window) => window.number === began && !isOthers(window)) ? began : null;
}

function isBeginning(title: string, team: TeamName): boolean {
  return title.length >= limits.viewerTitleLength && team.startsWith(title);
}

function otherNames({ running, clients }: ViewerLook, team: TeamName): string[] {
  return [...running, ...clients.map(({ named }) => named)].filter((name) => name !== team);
}

function clientIn({ clients }: ViewerLook, team: TeamName, window: number): ViewerClient | undefined {
  const own = clients.filter(({ named }) => named === team);
  return own.find((client) => client.window === window) ?? own[0];
}
