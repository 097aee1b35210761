// The files that a process has open, and which of them it has locked. Only Linux says so.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { readProcStat } from "./proc-stat.js";
import type { ProcessInfo } from "./process.js";

export interface OpenFile {
  path: string;
  /** Whether the process holds a lock on it (flock). */
  isLocked(): boolean;
}

/** Null if the process ended, belongs to another user, or the system does not say. */
export function openFiles({ pid, startTicks }: ProcessInfo, proc = "/proc"): OpenFile[] | null {
  const folder = `${proc}/${pid}`;
  try {
    const files = readdirSync(`${folder}/fd`).flatMap((fd) => openFile(folder, fd) ?? []);
    // Another process may have got the pid meanwhile.
    const isSame = startTicks === null || readProcStat(pid, proc)?.startTicks === startTicks;
    return isSame ? files : null;
  } catch {
    return null;
  }
}

function openFile(folder: string, fd: string): OpenFile | null {
  try {
    const path = readlinkSync(`${folder}/fd/${fd}`);
    return { path, isLocked: () => isLocked(readFileSync(`${folder}/fdinfo/${fd}`, "utf8")) };
  } catch {
    // It was closed meanwhile.
    return null;
  }
}

/** `lock:	1: FLOCK  ADVISORY  WRITE 9940 fe:00:2278050 0 EOF`. A file that is only open has no such line. */
function isLocked(info: string): boolean {
  return /^lock:\s+\d+: FLOCK\s+ADVISORY\s+WRITE /m.test(info);
}

/** The processes that hold a lock on one of these files, by inode. Empty also if the system does not say. */
export function lockHolders(inodes: ReadonlySet<number>, table = "/proc/locks"): number[] {
  if (inodes.size === 0) return [];
  try {
    const rows = [...readFileSync(table, "utf8").matchAll(lockForm)];
    return [...new Set(rows.flatMap(([, pid, inode]) => (inodes.has(Number(inode)) ? Number(pid) : [])))];
  } catch {
    return [];
  }
}

/** `1: FLOCK  ADVISORY  WRITE 9940 fe:00:2278050 0 EOF` */
const lockForm = /^\d+: FLOCK\s+ADVISORY\s+WRITE (\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /gm;
