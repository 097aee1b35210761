// What people do with the viewer. Only `setUpViewer` ever starts it.
//
// [VV1] Nothing but a set-up starts the viewer; everything else says that it is not there.
// [VV2] After a switch the window in front is asked for, and only what was seen is claimed.

import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import type { TeamName } from "../names/gates.js";
import { viewerName } from "../names/viewer-name.js";
import { dressSession, listSessions, newSession, type ScreenSession, wipe } from "../screen/session.js";
import { fitWindow, selectWindow } from "../screen/window.js";
import { lookAtViewer, needViewer, type ViewerLook } from "./look.js";
import { isSound, type Seat, seatOf } from "./seats.js";
import { bringWindows, lookUntil, type WindowsDone } from "./windows.js";
import { type ViewerWorld, whileAlone } from "./world.js";

/** Makes the viewer where there is none, and windows for these teams beside those it has. */
export async function setUpViewer(world: ViewerWorld, teams: readonly TeamName[]): Promise<WindowsDone> {
  return whileAlone(world, async () => {
    const look = (await lookAtViewer(world)) ?? (await startViewer(world));
    return bringWindows(world, look, [...registeredRows(world), ...teams]);
  });
}

/** The windows are those of S8's teams again, and of these. */
export async function syncViewer(world: ViewerWorld, more: readonly TeamName[] = []): Promise<WindowsDone> {
  return whileAlone(world, async () =>
    bringWindows(world, await needViewer(world), [...registeredRows(world), ...more]),
  );
}

/** True if it had a window or a row. */
export async function removeFromViewer(world: ViewerWorld, team: TeamName): Promise<boolean> {
  return whileAlone(world, async () => {
    const look = await needViewer(world);
    const had = world.stores.viewerWindows.read().rows.some((row) => row.team === team);
    const wanted = registeredRows(world).filter((each) => each !== team);
    const { ended } = await bringWindows(world, look, wanted);
    return had || ended > 0;
  });
}

export async function switchViewer(world: ViewerWorld, team: TeamName): Promise<Seat> {
  const look = await needViewer(world);
  const seat = seatOf(look, team);
  if (!isSound(seat)) {
    const why =
      seat.state === "wrong" ? `its window shows ${seat.shows ?? "nothing"}` : `it is ${seat.state}`;
    const noted = world.stores.viewerWindows.read().rows.map((row) => row.team);
    const those = noted.length === 0 ? "" : `there are: ${noted.join(", ")}; another one: `;
    throw new HiveError(`${team} cannot be shown: ${why}`, {
      hint: noted.includes(team) ? "hivemind monitor sync" : `${those}hivemind monitor add ${team}`,
    });
  }
  needTerminal(look, seat.window!);
  await selectWindow(world.screen, look.session.id, seat.window!);
  const after = await lookUntil(world, (now) => seatOf(now, team).state === "shown", limits.viewerFollowMs);
  const seen = seatOf(after, team);
  if (seen.state === "shown") return seen;
  throw new HiveError(
    `asked for ${team} in window ${seat.window}, and the viewer shows window ${after.shown}`,
    {
      hint: "hivemind monitor verify",
    },
  );
}

export async function fitViewer(world: ViewerWorld): Promise<void> {
  const look = await needViewer(world);
  needTerminal(look, look.shown);
  await fitWindow(world.screen, look.session.id);
}

/** How a person gets to see it, typed into a terminal. */
export function attachHint({ id }: ScreenSession, window: number | null): string {
  return `screen -x ${id}${window === null ? "" : ` -p ${window}`}`;
}

/** The teams of S8 that are registered still: the others have no place in it. */
function registeredRows({ stores }: ViewerWorld): TeamName[] {
  const registered = new Set(stores.teams.read().rows.map(({ team }) => team));
  return stores.viewerWindows
    .read()
    .rows.map(({ team }) => team)
    .filter((team) => registered.has(team));
}

/** Its window 0 is there for nothing but itself: a viewer without a team goes on. */
async function startViewer(world: ViewerWorld): Promise<ViewerLook> {
  const { screen } = world;
  for (const dead of await listSessions(screen)) {
    if (dead.name === viewerName && dead.state === "dead") await wipe(screen, dead.id);
  }
  const { id } = await newSession(screen, { name: viewerName, title: viewerName, argv: ["cat"] });
  await dressSession(screen, id);
  return needViewer(world);
}

/** Only a terminal that looks at the viewer can be shown something. */
function needTerminal({ session }: ViewerLook, window: number): void {
  if (session.state === "attached") return;
  throw new HiveError("nobody looks at the viewer", {
    hint: `in a terminal: ${attachHint(session, window)}`,
  });
}
