// Which window belongs to which team, and whether it shows that team. Pure.
//
// - A team's window is the one with its title, whatever its old number; else the one in which its client started.
// - A truncated title counts only if it is the beginning of no other known name.
// - A window shows a team only if its tmux client is attached to exactly that tmux session.
// - A title with a question mark claims nothing: the team has not been seen there yet.

import { limits } from "../limits.js";
import type { TeamName } from "../names/gates.js";
import type { ScreenWindow } from "../screen/window.js";
import type { ViewerWindowRow } from "../stores/viewer-windows.js";
import type { ViewerClient, ViewerLook } from "./look.js";

export interface TeamWindow {
  team: TeamName;
  /** Null without a window. */
  window: number | null;
  /** The tmux session that the window really shows. */
  shows: string | null;
  state: "shown" | "ready" | "wrong" | "missing" | "not running";
}

export function unseen(team: TeamName): string {
  return `${team}?`;
}

export function windowOf(look: ViewerLook, team: TeamName): TeamWindow {
  const window = placeOf(look, team);
  const isRunning = look.running.has(team);
  if (window === null) return { team, window, shows: null, state: isRunning ? "missing" : "not running" };
  const shows = clientIn(look, team, window)?.shows ?? null;
  if (shows !== team) return { team, window, shows, state: "wrong" };
  const isSeen = look.session.state === "attached" && look.shown === window;
  return { team, window, shows, state: isSeen ? "shown" : "ready" };
}

/** Whether its window shows it. */
export function isSound({ state }: TeamWindow): boolean {
  return state === "shown" || state === "ready";
}

/** The team that the front window claims, and what it shows; null if it claims none. */
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

/** One difference between what a window is for, or S8 records, and what it is. */
export interface Difference {
  team: TeamName;
  expected: string;
  actual: string;
  /** The same, for people. */
  words: string;
  /** False for a title with a question mark: its team has not been seen there yet. */
  isClaimed: boolean;
}

/** The differences between S8, the titles and what is shown. */
export function differencesOf(look: ViewerLook, rows: readonly ViewerWindowRow[]): Difference[] {
  const found = rows.flatMap(({ window: noted, team }) => {
    const { window, shows, state } = windowOf(look, team);
    const title = look.windows.find(({ number }) => number === window)?.title ?? "";
    const isClaimed = title !== unseen(team);
    const isFor = `window ${window} is for ${team}`;
    const shown = shows ?? "nothing";
    const [before, now] = [`window ${noted}`, `window ${window}`];
    const checks: [isRight: boolean, expected: string, actual: string, words: string][] =
      window === null
        ? [[state !== "missing", "a window", "none", `${team} runs but has no window`]]
        : [
            [shows === team, team, shown, `${isFor} but shows ${shown}`],
            [window === noted, before, now, `${team} is in ${now}, recorded as ${noted}`],
            [
              isTitled(look, title, team),
              `title ${team}`,
              `title ${title}`,
              `${isFor} but is named "${title}"`,
            ],
          ];
    return checks.flatMap(([isRight, expected, actual, words]) =>
      isRight ? [] : [{ team, expected, actual, words, isClaimed }],
    );
  });
  // Of two windows with one title the first is the team's own, but the other may be in front.
  const claim = shownClaim(look, rows);
  if (claim === null || claim.named === claim.shows) return found;
  if (found.some(({ team, actual }) => team === claim.named && actual === claim.shows)) return found;
  const { named: team, shows: actual } = claim;
  const words = `window ${look.shown} is for ${team} but shows ${actual}`;
  return [...found, { team, expected: team, actual, words, isClaimed: true }];
}

/** Whether the title is the team's name, as far as it is visible. */
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
