// One look at the viewer: its windows, and what the tmux clients in them really show.
//
// [VL1] Any number of processes may look at once, each gets its answer, and nothing is left behind.
// [VL2] A viewer that ends while it is looked at is none; one that hangs is an error.

import { HiveError } from "../base/errors.js";
import { viewerName } from "../names/viewer-name.js";
import { ScreenError } from "../screen/error.js";
import { findSession, type ScreenSession } from "../screen/session.js";
import { listWindows, type ScreenWindow, shownWindow } from "../screen/window.js";
import { attachedTeam } from "../tmux/client.js";
import { listServer } from "../tmux/listing.js";
import { attachedClients } from "../tmux/server.js";
import { type ViewerWorld, whileAsking } from "./world.js";

export interface ViewerLook {
  session: ScreenSession;
  windows: readonly ScreenWindow[];
  /** The number of the window that is in front. */
  shown: number;
  clients: readonly ViewerClient[];
  /** Every tmux session there is. */
  running: ReadonlySet<string>;
}

/** A tmux client that runs in one of the viewer's windows. */
export interface ViewerClient {
  /** The tmux session it was started for. */
  named: string;
  /** The one it is attached to now: tmux leads clients elsewhere when theirs ends, and people switch them. */
  shows: string;
  /** The number its window had when it began. */
  window: number | null;
}

/** Null where no viewer runs, also where one died. */
export async function lookAtViewer(world: ViewerWorld): Promise<ViewerLook | null> {
  const session = await findViewer(world);
  if (session === null) return null;
  try {
    return await lookInto(world, session);
  } catch (error) {
    // One that dies while it is asked never answers.
    const isDead = error instanceof ScreenError && world.processes.findProcess(session.pid) === null;
    return isDead ? null : unlessEnded(error);
  }
}

async function lookInto(world: ViewerWorld, session: ScreenSession): Promise<ViewerLook> {
  const { screen } = world;
  const { windows, shown } = await whileAsking(world, async () => ({
    windows: await listWindows(screen, session.id),
    shown: await shownWindow(screen, session.id),
  }));
  const { sessions } = await listServer(world.tmux);
  const names = new Map(sessions.map(({ id, name }) => [id, name]));
  const clients = sessions.length === 0 ? [] : await attachedClients(world.tmux);
  const own = clients.flatMap(({ pid, sessionId }): ViewerClient[] => {
    const found = world.processes.findProcess(pid);
    const named = found?.ppid === session.pid ? attachedTeam(found.args) : null;
    if (named === null) return [];
    const window = world.processes.readProcessVariable(pid, "WINDOW");
    return [{ named, shows: names.get(sessionId) ?? "", window: window === null ? null : Number(window) }];
  });
  return { session, windows, shown, clients: own, running: new Set(names.values()) };
}

/** The same where there must be one. */
export async function needViewer(world: ViewerWorld): Promise<ViewerLook> {
  const look = await lookAtViewer(world);
  if (look !== null) return look;
  throw new HiveError("no viewer is running", { hint: "start it: hivemind monitor setup" });
}

async function findViewer({ screen }: ViewerWorld): Promise<ScreenSession | null> {
  return findSession(screen, viewerName).catch(unlessEnded);
}

/** Also one that ends while it is looked at: then there is none. */
function unlessEnded(error: unknown): null {
  if (!(error instanceof ScreenError)) throw error;
  if (error.reason === "dead" || error.reason === "no-session") return null;
  if (error.reason !== "timeout") throw error;
  throw new ScreenError("timeout", `the viewer hangs: ${error.message}`, {
    hint: "end it, and set it up again: hivemind monitor reset",
    cause: error,
  });
}
