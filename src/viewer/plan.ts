// Plans the windows of the wanted teams, as data. Pure.
//
// - A team keeps its number. A number is reused only when its window is gone.
// - Only our own windows are ended: windows whose title or client has a known team.
// - If everything is right, there is nothing to do.
// - A team that does not run keeps its row and number, and gets its window when it runs.

import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import type { TeamName } from "../names/gates.js";
import type { ViewerWindowRow } from "../stores/viewer-windows.js";
import type { ViewerLook } from "./look.js";
import { isSound, unseen, windowOf } from "./team-windows.js";

export type ViewerStep = { do: "end"; window: number } | { do: "open"; window: number; team: TeamName };

export interface ViewerPlan {
  steps: ViewerStep[];
  /** The rows of S8 for these teams after the steps. */
  rows: ViewerWindowRow[];
}

export function planWindows(
  look: ViewerLook,
  rows: readonly ViewerWindowRow[],
  wanted: readonly TeamName[],
): ViewerPlan {
  const seats = [...new Set(wanted)].map((team) => windowOf(look, team));
  const sound = seats.filter(isSound);
  const kept = new Set(sound.map(({ window }) => window!));
  const ended = ourWindows(look, rows).filter((window) => !kept.has(window));
  const taken = new Set(look.windows.map(({ number }) => number).filter((each) => !ended.includes(each)));
  const numbered = new Map<TeamName, number>();
  for (const { team, window } of sound) numbered.set(team, window!);
  const unplaced = seats.filter(({ team }) => !numbered.has(team));
  // Teams with a recorded number come before new ones.
  for (const { team } of unplaced) {
    const noted = rows.find((row) => row.team === team)?.window;
    if (noted !== undefined && noted > 0 && !taken.has(noted)) numbered.set(team, noted);
    if (noted !== undefined) taken.add(noted);
  }
  for (const { team } of unplaced) {
    if (numbered.has(team)) continue;
    const window = firstFree(taken);
    taken.add(window);
    numbered.set(team, window);
  }
  const toOpen = unplaced.filter(({ team }) => look.running.has(team));
  return {
    steps: [
      ...ended.map((window): ViewerStep => ({ do: "end", window })),
      ...toOpen.map(({ team }): ViewerStep => ({ do: "open", window: numbered.get(team)!, team })),
    ],
    rows: seats.map(({ team }) => ({ window: numbered.get(team)!, team })),
  };
}

function ourWindows({ windows, clients }: ViewerLook, rows: readonly ViewerWindowRow[]): number[] {
  const known = new Set<string>([...rows.map(({ team }) => team), ...clients.map(({ named }) => named)]);
  const titles = new Set([...known].flatMap((team) => [team, unseen(team as TeamName)]));
  return windows.filter(({ title }) => titles.has(title)).map(({ number }) => number);
}

/** Window 0 is the viewer's own: it keeps the viewer alive when no team runs. */
function firstFree(taken: ReadonlySet<number>): number {
  for (let window = 1; window < limits.viewerWindows; window++) if (!taken.has(window)) return window;
  throw new HiveError(`the viewer has no room for more than ${limits.viewerWindows} windows`, {
    hint: "remove one: hivemind monitor remove TEAM",
  });
}
