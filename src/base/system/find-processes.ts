// Finds processes wherever they run, also without a pane. It reads the arguments of every process, so only a rare
// question may ask it: who still holds a conversation whose pane is gone.

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { limits } from "../../limits.js";
import type { ProcessInfo } from "./process.js";
import { findProcess } from "./processes.js";

/** `isIt` is asked with the arguments alone; then with the whole process. */
export function findProcesses(isIt: (process: ProcessInfo) => boolean): ProcessInfo[] {
  const found = pidsWhere((args) => isIt({ ...unread, command: basename(args[0] ?? ""), args: [...args] }));
  return found.flatMap((pid) => findProcess(pid) ?? []).filter(isIt);
}

const unread = {
  pid: 0,
  ppid: 0,
  startTicks: null,
  startedAtMs: 0,
  leader: null,
  tty: null,
  isForeground: false,
} as const;

/** The folder that the process works in; null if it is unknown. */
export function folderOfProcess(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function pidsWhere(isIt: (args: readonly string[]) => boolean): number[] {
  if (process.platform !== "linux") return listed().flatMap(({ pid, args }) => (isIt(args) ? pid : []));
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => isIt(argumentsOf(pid))).map(Number);
}

function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  } catch {
    return [];
  }
}

/** ps does not show where an argument ends. */
function listed(): { pid: number; args: string[] }[] {
  const { stdout = "" } = spawnSync("ps", ["-A", "-ww", "-o", "pid=,args="], {
    encoding: "utf8",
    maxBuffer: limits.psOutputBytes,
  });
  return stdout.split("\n").flatMap((line) => {
    const [pid = "", ...args] = line.trim().split(/ +/);
    return pid === "" ? [] : [{ pid: Number(pid), args }];
  });
}
