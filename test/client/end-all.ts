// Ends every process that tmux and the clients of a home began: a process that still runs writes into the folders.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import { type TestHome, until } from "../home.js";

export async function endAll(home: TestHome): Promise<void> {
  // All are stopped before the first one ends: nobody can begin another process meanwhile.
  const pids = [...serverOf(home), ...backgroundOf(home)].flatMap(stopTree);
  // Children first: a shell that loses its terminal writes its history down.
  for (const pid of pids.toReversed()) signal(pid, "SIGKILL");
  await until(`the end of the processes ${pids.join(", ")}`, () => pids.every(hasEnded));
}

export function hasEnded(pid: number): boolean {
  const state = readProcStat(pid)?.state;
  return state === undefined || state === "Z" || state === "X";
}

function serverOf({ tmux }: TestHome): number[] {
  try {
    return [Number(tmux("display-message", "-p", "#{pid}"))];
  } catch {
    // No server was started, or the test ended it.
    return [];
  }
}

/** The client's daemon and the conversations in the background are no children of a pane. */
function backgroundOf({ claude }: TestHome): number[] {
  const sessions = join(claude, "sessions");
  const names = namesIn(sessions).filter((name) => name.endsWith(".json"));
  const files = [join(claude, "daemon.lock"), ...names.map((name) => join(sessions, name))];
  return files.flatMap((path) => {
    const { pid, procStart } = readJson(path);
    const isIt = typeof pid === "number" && readProcStat(pid)?.startTicks === procStart;
    return isIt ? [pid] : [];
  });
}

function stopTree(pid: number): number[] {
  signal(pid, "SIGSTOP");
  return [pid, ...childrenOf(pid).flatMap(stopTree)];
}

/** Children hang on the thread that made them. */
function childrenOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`;
  return namesIn(tasks).flatMap((thread) => {
    try {
      const list = readFileSync(join(tasks, thread, "children"), "utf8");
      return list.split(" ").filter(Boolean).map(Number);
    } catch {
      // The thread ended meanwhile.
      return [];
    }
  });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended meanwhile.
  }
}

function readJson(path: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
