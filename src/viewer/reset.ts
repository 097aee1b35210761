// The end of the viewer.
//
// [VE1] Exactly the sessions of that name are ended, also those that hang or have died, and the keeper with them.

import { setTimeout as rest } from "node:timers/promises";
import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import { viewerName } from "../names/viewer-name.js";
import type { ProcessInfo } from "../processes/process.js";
import { ScreenError } from "../screen/error.js";
import { listSessions, quitSession, wipe } from "../screen/session.js";
import { isTmuxError } from "../tmux/error.js";
import { listServer } from "../tmux/listing.js";
import { attachedClients } from "../tmux/server.js";
import { endKeeper } from "./keeper.js";
import { type ViewerWorld, whileAlone } from "./world.js";

/** The processes that were ended. S8 is empty afterwards; the teams lose nothing but an onlooker. */
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

/** A viewer may hang so badly that screen cannot even list it: its clients in tmux are its children. */
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
  // Its number, its name and its program make sure that nobody else is hit.
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
    // It has died already, or cannot be told anything.
    if (error.reason === "timeout") return false;
  }
  return isGone(world, pid);
}

function isViewer(found: ProcessInfo | null): boolean {
  return found !== null && /^screen/i.test(found.command) && found.args.includes(viewerName);
}

async function isGone({ processes }: ViewerWorld, pid: number): Promise<boolean> {
  const end = performance.now() + limits.viewerFollowMs;
  while (processes.findProcess(pid) !== null) {
    if (performance.now() > end) return false;
    await rest(limits.viewerPollMs);
  }
  return true;
}

/** tmux may have ended it by itself meanwhile. */
function unlessGone(error: unknown): void {
  if (!isTmuxError(error, "no-target")) throw error;
}
