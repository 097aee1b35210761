// The watcher of a config folder: the one process that delivers messages and keeps the stores up to date. Which process it
// is, how it starts in the background, and how it stops.
//
// - A config folder has at most one watcher that works: it holds the watch lock.
// - A watcher in the background is a session of its own, so that closing the terminal does not end it.
// - `startWatcher` returns when the new process holds the lock. A process that ends before is an error with its own words.
// - `stopWatcher` signals only a process of this machine that is certainly the holder, and waits until its lock is gone.

import { spawn } from "node:child_process";
import { setTimeout as rest } from "node:timers/promises";
import { HiveError } from "../base/errors.js";
import { readLock } from "../base/files/lock.js";
import { fateOf, type ProcessIdentity } from "../base/system/process-identity.js";
import { limits } from "../limits.js";
import { type StorePaths, watchLockPath } from "../stores/file/folder.js";
import type { Stores } from "../stores/stores.js";

export type Watcher = Pick<ProcessIdentity, "pid" | "host">;

/** Null where no process watches. A holder that cannot be seen from here counts as alive. */
export function watcherOf(paths: StorePaths): Watcher | null {
  const holder = readLock(watchLockPath(paths))?.holder ?? null;
  return holder === null || fateOf(holder) === "dead" ? null : { pid: holder.pid, host: holder.host };
}

export interface Started {
  watcher: Watcher;
  /** False where one was running already. */
  isNew: boolean;
}

/** `command` is the program with its arguments. */
export async function startWatcher(
  { paths, watchLog }: Pick<Stores, "paths" | "watchLog">,
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Promise<Started> {
  const running = watcherOf(paths);
  if (running !== null) return { watcher: running, isNew: false };
  watchLog.trim();
  const logged = watchLog.size();
  let ended = false;
  const child = watchLog.whileOpen((log) =>
    spawn(program, args, { env, cwd: paths.folder, detached: true, stdio: ["ignore", log, log] }),
  );
  child.on("exit", () => (ended = true)).on("error", () => (ended = true));
  child.unref();
  const deadline = performance.now() + limits.watchStartMs;
  while (performance.now() < deadline) {
    const watcher = watcherOf(paths);
    if (watcher !== null) return { watcher, isNew: watcher.pid === child.pid };
    if (ended) break;
    await rest(limits.startPollMs);
  }
  const [last = "it printed nothing"] = watchLog.linesFrom(logged).slice(-1);
  throw new HiveError(`the watcher did not start: ${last}`, { hint: `its log: ${watchLog.path}` });
}

/** The watcher that was stopped; null where none ran. */
export async function stopWatcher(paths: StorePaths): Promise<Watcher | null> {
  const path = watchLockPath(paths);
  const standing = readLock(path);
  const holder = standing?.holder ?? null;
  if (standing === null || holder === null) return null;
  const fate = fateOf(holder);
  if (fate === "dead") return null;
  if (fate === "unknown")
    throw new HiveError(
      `the watcher is process ${holder.pid} on ${holder.host}, which cannot be reached from here`,
      {
        hint: `on ${holder.host}: hivemind watch --stop`,
      },
    );
  process.kill(holder.pid, "SIGTERM");
  const deadline = performance.now() + limits.watchStopMs;
  while (performance.now() < deadline) {
    if (readLock(path)?.target !== standing.target || fateOf(holder) === "dead")
      return { pid: holder.pid, host: holder.host };
    await rest(limits.startPollMs);
  }
  throw new HiveError(`the watcher, process ${holder.pid}, does not stop`, {
    hint: `it may be in the middle of a delivery; look at its log: ${paths.watchLog}`,
  });
}
