// The watcher of a config folder: the one process that delivers messages and keeps the stores up to date. Which process it
// is, how it starts in the background, and how it stops.
//
// - A config folder has at most one watcher that works: it holds the watch lock.
// - A watcher in the background is a session of its own, so that closing the terminal does not end it.
// - `startWatcher` returns when the new process holds the lock. A process that ends before is an error with its own words.
// - `stopWatcher` signals only a process of this machine that is certainly the holder, and waits until its lock is gone.
// - Starting a watcher, and a watcher's decision to end with its tmux server, exclude each other: a command that made a
//   new server either finds the watcher gone and starts one, or the watcher finds the new server and stays.

import { spawn } from "node:child_process";
import { setTimeout as rest } from "node:timers/promises";
import { HiveError } from "../../base/errors.js";
import { acquireLock, isHeld, type Lock, LockedError, readLock } from "../../base/files/lock.js";
import { fateOf, type ProcessIdentity } from "../../base/system/process-identity.js";
import { limits } from "../../limits.js";
import { type StorePaths, watchLockPath, watchStartLockPath } from "../../stores/file/folder.js";
import type { Stores } from "../../stores/stores.js";
import { type WatchWish, wordsOf } from "../../stores/watch/watch-wish.js";

export type Watcher = Pick<ProcessIdentity, "pid" | "host">;

/** Null where no process watches. A holder that cannot be seen from here counts as alive. */
export function watcherOf(paths: StorePaths): Watcher | null {
  const holder = readLock(watchLockPath(paths))?.holder ?? null;
  return holder === null || fateOf(holder) === "dead" ? null : { pid: holder.pid, host: holder.host };
}

/** What a watcher does without options. */
export const plainWish: WatchWish = {
  everySeconds: null,
  notify: null,
  isReconciling: false,
  isQuiet: false,
};

export interface Started {
  watcher: Watcher;
  /** False where one was running already. */
  isNew: boolean;
}

export interface StartOptions {
  /** Node and the script of hivemind. */
  program: readonly [string, string];
  env: NodeJS.ProcessEnv;
}

type WatchStores = Pick<Stores, "paths" | "watchLog" | "watchWish">;

/** Starts a watcher in the background, and remembers the wish for the commands that bring a team back. */
export function startWatcher(stores: WatchStores, wish: WatchWish, options: StartOptions): Promise<Started> {
  return whileStarting(stores.paths, async () => {
    const started = await startOrFind(stores, wish, options);
    if (started.isNew) await stores.watchWish.keep(wish);
    return started;
  });
}

/** Starts the watcher that somebody wanted; null if nobody did, and none runs. */
export function startWanted(stores: WatchStores, options: StartOptions): Promise<Started | null> {
  return whileStarting(stores.paths, async () => {
    const running = watcherOf(stores.paths);
    if (running !== null) return { watcher: running, isNew: false };
    const wish = stores.watchWish.read();
    return wish === null ? null : startOrFind(stores, wish, options);
  });
}

/** The watcher's own turn to end: null while another process starts one. The turn is over when the lock is released. */
export async function turnToEnd(paths: StorePaths): Promise<Lock | null> {
  try {
    return await acquireLock(watchStartLockPath(paths), { waitMs: limits.workerPollMs });
  } catch (error) {
    if (error instanceof LockedError) return null;
    throw error;
  }
}

async function whileStarting<T>(paths: StorePaths, work: () => Promise<T>): Promise<T> {
  const lock = await acquireLock(watchStartLockPath(paths), { waitMs: limits.watchTurnMs });
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function startOrFind(
  { paths, watchLog }: WatchStores,
  wish: WatchWish,
  { program: [node, script], env }: StartOptions,
): Promise<Started> {
  const running = watcherOf(paths);
  if (running !== null) return { watcher: running, isNew: false };
  watchLog.trim();
  const logged = watchLog.size();
  let ended = false;
  const words = [script, "watch", "--until-server-ends", ...wordsOf(wish)];
  const child = watchLog.whileOpen((log) =>
    spawn(node, words, { env, cwd: paths.folder, detached: true, stdio: ["ignore", log, log] }),
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
  const last = watchLog
    .linesFrom(logged)
    .slice(-2)
    .map((line) => line.trim())
    .join("; ");
  throw new HiveError(`the watcher did not start: ${last || "it printed nothing"}`, {
    hint: `its log: ${watchLog.path}`,
  });
}

/** Ends the watcher, and forgets that somebody wanted one. Null where none ran. */
export async function stopWanted({ paths, watchWish }: WatchStores): Promise<Watcher | null> {
  // Where nobody wanted a watcher, nothing is written.
  if (watchWish.read() !== null || isHeld(watchStartLockPath(paths)))
    await whileStarting(paths, () => watchWish.forget());
  return stopWatcher(paths);
}

/** The watcher that was stopped; null where none ran. */
async function stopWatcher(paths: StorePaths): Promise<Watcher | null> {
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
