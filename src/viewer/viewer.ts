// The commands of the viewer.
//
// - Only `setUpViewer` starts the viewer; all others report that it is not running.
// - After a switch the front window is checked, and only what was seen is reported.

import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import type { TeamName } from "../names/gates.js";
import { viewerName } from "../names/viewer-name.js";
import { dressSession, listSessions, newSession, type ScreenSession, wipe } from "../screen/session.js";
import { fitWindow, selectWindow } from "../screen/window.js";
import { lookAtViewer, needViewer, type ViewerLook } from "./look.js";
import { isSound, type TeamWindow, windowOf } from "./team-windows.js";
import { bringWindows, lookUntil, type WindowsDone } from "./windows.js";
import { type ViewerWorld, whileAlone } from "./world.js";

/** Starts the viewer if there is none, and adds windows for these teams. */
export async function setUpViewer(world: ViewerWorld, teams: readonly TeamName[]): Promise<WindowsDone> {
  return whileAlone(world, async () => {
    const look = (await lookAtViewer(world)) ?? (await startViewer(world));
    return bringWindows(world, look, [...registeredRows(world), ...teams]);
  });
}

/** Makes the windows match S8's teams and these. */
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

export async function switchViewer(world: ViewerWorld, team: TeamName): Promise<TeamWindow> {
  const look = await needViewer(world);
  const seat = windowOf(look, team);
  if (!isSound(seat)) {
    const why =
      seat.state === "wrong" ? `its window shows ${seat.shows ?? "nothing"}` : `it is ${seat.state}`;
    const noted = world.stores.viewerWindows.read().rows.map((row) => row.team);
    const those = noted.length === 0 ? "" : `there are: ${noted.join(", ")}; to add one: `;
    throw new HiveError(`${team} cannot be shown: ${why}`, {
      hint: noted.includes(team) ? "hivemind monitor sync" : `${those}hivemind monitor add ${team}`,
    });
  }
  needTerminal(look, seat.window!);
  await selectWindow(world.screen, look.session.id, seat.window!);
  const after = await lookUntil(world, (now) => windowOf(now, team).state === "shown", limits.viewerFollowMs);
  const seen = windowOf(after, team);
  if (seen.state === "shown") return seen;
  throw new HiveError(
    `selected window ${seat.window} for ${team}, but the viewer shows window ${after.shown}`,
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

/** What a person types in a terminal to see it. */
export function attachHint({ id }: ScreenSession, window: number | null): string {
  return `screen -x ${id}${window === null ? "" : ` -p ${window}`}`;
}

/** The teams of S8 that are still registered. */
function registeredRows({ stores }: ViewerWorld): TeamName[] {
  const registered = new Set(stores.teams.read().rows.map(({ team }) => team));
  return stores.viewerWindows
    .read()
    .rows.map(({ team }) => team)
    .filter((team) => registered.has(team));
}

/** Window 0 keeps the viewer alive when no team runs. */
async function startViewer(world: ViewerWorld): Promise<ViewerLook> {
  const { screen } = world;
  for (const dead of await listSessions(screen)) {
    if (dead.name === viewerName && dead.state === "dead") await wipe(screen, dead.id);
  }
  const { id } = await newSession(screen, { name: viewerName, title: viewerName, argv: ["cat"] });
  await dressSession(screen, id);
  return needViewer(world);
}

/** Only an attached terminal can be shown something. */
function needTerminal({ session }: ViewerLook, window: number): void {
  if (session.state === "attached") return;
  throw new HiveError("no terminal is attached to the viewer", {
    hint: `in a terminal: ${attachHint(session, window)}`,
  });
}
