// Ends the viewer: exactly the screen sessions with its name, also hanging and dead ones, and the keeper.

import { HiveError } from "../base/errors.js";
import type { ProcessInfo } from "../base/system/process.js";
import { until } from "../base/until.js";
import { limits } from "../limits.js";
import { viewerName } from "../names/viewer-name.js";
import { ScreenError } from "../screen/error.js";
import { listSessions, quitSession, wipe } from "../screen/session.js";
import { isTmuxError } from "../tmux/error.js";
import { listServer } from "../tmux/listing.js";
import { attachedClients } from "../tmux/server.js";
import { endKeeper } from "./keeper.js";
import { type ViewerWorld, whileAlone } from "./world.js";

/** Returns the ended processes. S8 is empty afterwards; teams lose only a read-only client. */
export async function resetViewer(world: ViewerWorld): Promise<number[]> {
  return whileAlone(world, async () => {
    const { pids, hangs } = await viewerPids(world);
    for (const pid of pids) {
      await endViewer(world, pid, hangs);
      await wipe(world.screen, `${pid}.${viewerName}`);
    }
    await endKeeper(world.tmux).catch(unlessGone);
    await world.stores.viewerWindows.update(() => []);
    return pids;
  });
}

/**
 * A viewer may hang so badly that screen cannot even list it. Then it is found as the parent of its tmux clients.
 */
async function viewerPids({
  screen,
  tmux,
  processes,
}: ViewerWorld): Promise<{ pids: number[]; hangs: boolean }> {
  try {
    const sessions = (await listSessions(screen)).filter(({ name }) => name === viewerName);
    return { pids: sessions.map(({ pid }) => pid), hangs: false };
  } catch (error) {
    if (!(error instanceof ScreenError && error.reason === "timeout")) throw error;
    const { sessions } = await listServer(tmux);
    const clients = sessions.length === 0 ? [] : await attachedClients(tmux);
    const parents = new Set(clients.flatMap(({ pid }) => processes.findProcess(pid)?.ppid ?? []));
    const pids = [...parents].filter((pid) => isViewer(processes.findProcess(pid)));
    if (pids.length === 0) throw error;
    return { pids, hangs: true };
  }
}

async function endViewer(world: ViewerWorld, pid: number, hangs: boolean): Promise<void> {
  if (!hangs && (await quits(world, pid))) return;
  // Pid, name and program are all checked, so that no other process is hit.
  if (isViewer(world.processes.findProcess(pid))) process.kill(pid, "SIGKILL");
  if (await isGone(world, pid)) return;
  throw new HiveError(`the viewer, process ${pid}, does not end`, {
    hint: `end it yourself: kill -9 ${pid}`,
  });
}

async function quits(world: ViewerWorld, pid: number): Promise<boolean> {
  try {
    await quitSession(world.screen, `${pid}.${viewerName}`);
  } catch (error) {
    if (!(error instanceof ScreenError)) throw error;
    // It has died already, or does not respond.
    if (error.reason === "timeout") return false;
  }
  return isGone(world, pid);
}

function isViewer(found: ProcessInfo | null): boolean {
  return found !== null && /^screen/i.test(found.command) && found.args.includes(viewerName);
}

async function isGone({ processes }: ViewerWorld, pid: number): Promise<boolean> {
  const bounds = { withinMs: limits.viewerFollowMs, pollMs: limits.viewerPollMs };
  return until(() => processes.findProcess(pid) === null, Boolean, bounds);
}

/** tmux may have ended it meanwhile. */
function unlessGone(error: unknown): void {
  if (!isTmuxError(error, "no-target")) throw error;
}
