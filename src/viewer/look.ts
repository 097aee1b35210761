// One look at the viewer: its windows, and what the tmux clients in them really show.
//
// Several processes may look at once; each gets its answer and leaves nothing behind. A viewer that ends meanwhile
// counts as none; one that hangs is an error.

import { HiveError } from "../base/errors.js";
import { viewerName } from "../names/viewer-name.js";
import { ScreenError } from "../screen/error.js";
import { findSession, type ScreenSession } from "../screen/session.js";
import { listWindows, type ScreenWindow, shownWindow } from "../screen/window.js";
import { listServer } from "../tmux/listing.js";
import { attachedClients, attachedTeam } from "../tmux/server.js";
import { type ViewerWorld, whileAsking } from "./world.js";

export interface ViewerLook {
  session: ScreenSession;
  windows: readonly ScreenWindow[];
  /** The number of the window in front. */
  shown: number;
  clients: readonly ViewerClient[];
  /** All tmux sessions. */
  running: ReadonlySet<string>;
}

/** A tmux client that runs in one of the viewer's windows. */
export interface ViewerClient {
  /** The tmux session it was started for. */
  named: string;
  /** The session it is attached to now: tmux moves clients elsewhere when theirs ends, and people switch them. */
  shows: string;
  /** The number of its window when it started. */
  window: number | null;
}

/** Null if no viewer runs, or if it died. */
export async function lookAtViewer(world: ViewerWorld): Promise<ViewerLook | null> {
  const session = await findSession(world.screen, viewerName).catch(unlessEnded);
  if (session === null) return null;
  try {
    return await lookInto(world, session);
  } catch (error) {
    // A viewer that dies meanwhile never answers.
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
  const processes = world.processes.forOneLook();
  const own = clients.flatMap(({ pid, sessionId }): ViewerClient[] => {
    const found = processes.findProcess(pid);
    const named = found?.ppid === session.pid ? attachedTeam(found.args) : null;
    if (named === null) return [];
    const window = processes.readProcessVariable(pid, "WINDOW");
    return [{ named, shows: names.get(sessionId) ?? "", window: window === null ? null : Number(window) }];
  });
  return { session, windows, shown, clients: own, running: new Set(names.values()) };
}

/** The same, but a missing viewer is an error. */
export async function needViewer(world: ViewerWorld): Promise<ViewerLook> {
  const look = await lookAtViewer(world);
  if (look !== null) return look;
  throw new HiveError("no viewer is running", { hint: "start it: hivemind monitor setup" });
}

/** Null for a viewer that ended meanwhile. */
function unlessEnded(error: unknown): null {
  if (!(error instanceof ScreenError)) throw error;
  if (error.reason === "dead" || error.reason === "no-session") return null;
  if (error.reason !== "timeout") throw error;
  throw new ScreenError("timeout", `the viewer hangs: ${error.message}`, {
    hint: "end it, then set it up again: hivemind monitor reset",
    cause: error,
  });
}
