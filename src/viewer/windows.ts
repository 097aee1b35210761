// Brings the viewer's windows to the wanted state, one step at a time, and checks the result.
//
// - A title claims a team only after its client was seen attached to it; until then it has a question mark.
// - S8 records the number that screen gave, read again at the end.
// - A new window does not move a person away from the window they look at.
// - A row of S8 from another program stays.

import { until } from "../base/until.js";
import { limits } from "../limits.js";
import type { TeamName } from "../names/gates.js";
import { killWindow, newWindow, selectWindow, setTitle } from "../screen/window.js";
import type { ViewerWindowRow } from "../stores/viewer-windows.js";
import { attachCommand } from "../tmux/server.js";
import { endKeeper, ensureKeeper } from "./keeper.js";
import { needViewer, type ViewerLook } from "./look.js";
import { planWindows, type ViewerPlan } from "./plan.js";
import { isSound, isTitled, type TeamWindow, unseen, windowOf } from "./team-windows.js";
import type { ViewerWorld } from "./world.js";

export interface WindowsDone {
  look: ViewerLook;
  opened: TeamName[];
  /** The number of ended windows. */
  ended: number;
  /** Teams whose window shows something else, or nothing. */
  failed: TeamWindow[];
}

/** `wanted` are all teams that should have a window. */
export async function bringWindows(
  world: ViewerWorld,
  before: ViewerLook,
  wanted: readonly TeamName[],
): Promise<WindowsDone> {
  const { screen } = world;
  const { id } = before.session;
  const stored = world.stores.viewerWindows.read().rows;
  // If no team runs there is no size to keep, and perhaps no tmux server: none is started just for the keeper.
  if (wanted.some((team) => before.running.has(team))) await ensureKeeper(world, before.session.pid);
  else await endKeeper(world.tmux);
  const plan = planWindows(before, stored, wanted);
  for (const step of plan.steps) {
    if (step.do === "end") await killWindow(screen, id, step.window);
    if (step.do === "open") {
      const argv = attachCommand(world.tmux, step.team, "read-only,ignore-size");
      await newWindow(screen, id, { number: step.window, title: unseen(step.team), argv });
    }
  }
  const ended = plan.steps.flatMap((step) => (step.do === "end" ? step.window : []));
  const openings = plan.steps.flatMap((step) => (step.do === "open" ? step : []));
  const opened = openings.map(({ team }) => team);
  const left = ended.filter((number) => !openings.some(({ window }) => window === number));
  const isSettled = (now: ViewerLook) =>
    opened.every((team) => isSound(windowOf(now, team))) &&
    !now.windows.some(({ number }) => left.includes(number));
  const look = plan.steps.length === 0 ? before : await lookUntil(world, isSettled);
  for (const { team } of plan.rows) await claim(world, look, team);
  await keepInFront(world, before, look);
  await note(world, plan, look, stored);
  const failed = opened.map((team) => windowOf(look, team)).filter((seat) => !isSound(seat));
  return {
    look,
    opened: opened.filter((team) => !failed.some((seat) => seat.team === team)),
    ended: ended.length,
    failed,
  };
}

/** Looks until the condition holds or the time is up. Returns the last look. */
export async function lookUntil(
  world: ViewerWorld,
  isSo: (look: ViewerLook) => boolean,
  withinMs: number = limits.viewerAttachMs,
): Promise<ViewerLook> {
  return until(() => needViewer(world), isSo, { withinMs, pollMs: limits.viewerPollMs });
}

/** Sets the title to the team's name if the window shows the team, otherwise adds the question mark. */
async function claim({ screen }: ViewerWorld, look: ViewerLook, team: TeamName): Promise<void> {
  const seat = windowOf(look, team);
  if (seat.window === null) return;
  const { title } = look.windows.find(({ number }) => number === seat.window)!;
  const isRight = isSound(seat) ? isTitled(look, title, team) : title === unseen(team);
  if (!isRight) await setTitle(screen, look.session.id, seat.window, isSound(seat) ? team : unseen(team));
}

async function note(
  { stores }: ViewerWorld,
  { rows: planned }: ViewerPlan,
  look: ViewerLook,
  before: readonly ViewerWindowRow[],
): Promise<void> {
  const rows = planned.map(({ window, team }) => ({ window: windowOf(look, team).window ?? window, team }));
  const ours = new Set([...before, ...rows].map(({ team }) => team));
  const numbers = new Set(rows.map(({ window }) => window));
  await stores.viewerWindows.update((current) => [
    ...current.filter(({ window, team }) => !ours.has(team) && !numbers.has(window)),
    ...rows,
  ]);
}

/** screen puts every new window in front; this goes back to the window that was shown before. */
async function keepInFront({ screen }: ViewerWorld, before: ViewerLook, look: ViewerLook): Promise<void> {
  const isThere = look.windows.some(({ number }) => number === before.shown);
  if (look.session.state === "attached" && isThere && look.shown !== before.shown)
    await selectWindow(screen, look.session.id, before.shown);
}
