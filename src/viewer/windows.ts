// The viewer's windows brought to what is wanted: one step at a time, each looked at afterwards.
//
// [VA1] A title claims a team only after its client was seen attached to it; until then it carries a question mark.
// [VA2] S8 says the number that screen gave, read again after everything was done.
// [VA3] Nobody who looks at one window is led to another because that was made.
// [VA4] A row of S8 that somebody else wrote meanwhile stays.

import { setTimeout as rest } from "node:timers/promises";
import { limits } from "../limits.js";
import type { TeamName } from "../names/gates.js";
import { killWindow, newWindow, selectWindow, setTitle } from "../screen/window.js";
import type { ViewerWindowRow } from "../stores/viewer-windows.js";
import { attachCommand } from "../tmux/client.js";
import { endKeeper, ensureKeeper } from "./keeper.js";
import { needViewer, type ViewerLook } from "./look.js";
import { planWindows, type ViewerPlan } from "./plan.js";
import { isSound, isTitled, type Seat, seatOf, unseen } from "./seats.js";
import type { ViewerWorld } from "./world.js";

export interface WindowsDone {
  look: ViewerLook;
  opened: TeamName[];
  /** How many windows were ended. */
  ended: number;
  /** Those whose window shows something else, or nothing. */
  failed: Seat[];
}

/** `wanted` are all teams that shall have a window. */
export async function bringWindows(
  world: ViewerWorld,
  before: ViewerLook,
  wanted: readonly TeamName[],
): Promise<WindowsDone> {
  const { screen } = world;
  const { id } = before.session;
  const stored = world.stores.viewerWindows.read().rows;
  // Where no team runs there is no size to keep, and perhaps no tmux server: none is started for the keeper's sake.
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
    opened.every((team) => isSound(seatOf(now, team))) &&
    !now.windows.some(({ number }) => left.includes(number));
  const look = plan.steps.length === 0 ? before : await lookUntil(world, isSettled);
  for (const { team } of plan.rows) await claim(world, look, team);
  await keepInFront(world, before, look);
  await note(world, plan, look, stored);
  const failed = opened.map((team) => seatOf(look, team)).filter((seat) => !isSound(seat));
  return {
    look,
    opened: opened.filter((team) => !failed.some((seat) => seat.team === team)),
    ended: ended.length,
    failed,
  };
}

/** Looks again until it is so, or time is up; the last look. */
export async function lookUntil(
  world: ViewerWorld,
  isSo: (look: ViewerLook) => boolean,
  withinMs: number = limits.viewerAttachMs,
): Promise<ViewerLook> {
  const end = performance.now() + withinMs;
  for (;;) {
    const look = await needViewer(world);
    if (isSo(look) || performance.now() > end) return look;
    await rest(limits.viewerPollMs);
  }
}

/** The window says its team's name if that is what it shows, and takes it back if not. */
async function claim({ screen }: ViewerWorld, look: ViewerLook, team: TeamName): Promise<void> {
  const seat = seatOf(look, team);
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
  const rows = planned.map(({ window, team }) => ({ window: seatOf(look, team).window ?? window, team }));
  const ours = new Set([...before, ...rows].map(({ team }) => team));
  const numbers = new Set(rows.map(({ window }) => window));
  await stores.viewerWindows.update((current) => [
    ...current.filter(({ window, team }) => !ours.has(team) && !numbers.has(window)),
    ...rows,
  ]);
}

/** screen puts every new window in front; whoever looks at another one goes on with that. */
async function keepInFront({ screen }: ViewerWorld, before: ViewerLook, look: ViewerLook): Promise<void> {
  const isThere = look.windows.some(({ number }) => number === before.shown);
  if (look.session.state === "attached" && isThere && look.shown !== before.shown)
    await selectWindow(screen, look.session.id, before.shown);
}
