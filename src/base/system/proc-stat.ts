// One line of Linux's /proc/<pid>/stat, the cheapest way to read a process.

import { readFileSync } from "node:fs";

export interface ProcStat {
  pid: number;
  /** The command name. It may contain spaces and parentheses, so the line is parsed from its last `)`. */
  comm: string;
  /** `Z` and `X` are processes that ended and were not reaped yet. */
  state: string;
  ppid: number;
  /** The pid of the process that called setsid for it, itself or one before it. 0 if that one is hidden from us. */
  leader: number;
  ttyNumber: number;
  /** Its process group is the foreground group of its terminal. A group outside our pid namespace is unknown: 0. */
  isForeground: boolean;
  /** Its process group, by the pid of the process that it was made for. */
  group: number;
  threads: number;
  /** Clock ticks from boot to its start. Together with the pid it identifies one process within this boot. */
  startTicks: string;
}

export function parseProcStat(line: string): ProcStat | null {
  const open = line.indexOf("(");
  const close = line.lastIndexOf(")");
  if (open < 0 || close < open) return null;
  // Fifty fields follow, and a look at a fleet reads hundreds of these lines.
  const rest = line.slice(close + 2).split(" ", 20);
  const startTicks = rest[19];
  const pid = Number(line.slice(0, open));
  if (startTicks === undefined || !Number.isInteger(pid)) return null;
  return {
    pid,
    comm: line.slice(open + 1, close),
    state: rest[0]!,
    ppid: Number(rest[1]),
    leader: Number(rest[3]),
    ttyNumber: Number(rest[4]),
    isForeground: rest[2] === rest[5] && rest[2] !== "0",
    group: Number(rest[2]),
    threads: Number(rest[17]),
    startTicks,
  };
}

/** Null if there is no such process. */
export function readProcStat(pid: number, proc = "/proc"): ProcStat | null {
  try {
    return parseProcStat(readFileSync(`${proc}/${pid}/stat`, "utf8"));
  } catch {
    return null;
  }
}
