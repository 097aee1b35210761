// Reads processes from Linux's /proc: a few small files per process of a tree, and no subprocess.
//
// - Only the descendants of a root are read. If the kernel has no lists of children, one pass over the parents of
//   all processes finds them, and nothing else of the others is read.
// - An unreadable /proc is an error, not a machine without processes. So is one of another pid namespace.
// - A process's start is never reported too early. It is exact to a few hundredths of a second if the uptime is
//   known, else to a second.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { limits } from "../../limits.js";
import { errorCode, exitCodes, HiveError } from "../errors.js";
import { groupBy } from "../group-by.js";
import { remembered } from "../remembered.js";
import { needOwnProc } from "./pid-namespace.js";
import { type ProcStat, parseProcStat } from "./proc-stat.js";
import { type ProcessInfo, type ProcessReader, type ProcessTable, processTable, sitsAt } from "./process.js";

/** The kernel reports hundredths of a second on every architecture Node runs on, whatever it uses inside. */
const ticksPerSecond = 100;

/** Uptime and start times are truncated to whole ticks. */
const coarseMs = 2 * (1000 / ticksPerSecond);

type LinuxProcess = ProcessInfo & { threads: number };

export function linuxProcesses(proc = "/proc"): ProcessReader {
  const files = procFiles(proc);
  const { read, look } = files;
  let ownNamespace: string | null | undefined;

  function variables(pid: number, names: readonly string[]): ReadonlyMap<string, string> {
    // Searched as one text: an environment may have hundreds of variables, and every process of a fleet is asked.
    const text = `\0${read(`${pid}/environ`) ?? ""}`;
    const set = new Map<string, string>();
    for (const name of names) {
      const at = text.indexOf(`\0${name}=`);
      if (at < 0) continue;
      const from = at + name.length + 2;
      const end = text.indexOf("\0", from);
      set.set(name, end < 0 ? text.slice(from) : text.slice(from, end));
    }
    return set;
  }

  const reader: ProcessReader = {
    findProcess: look,
    readTrees(roots) {
      files.check();
      return readTreesOf(files, roots);
    },
    readInput: (pid) => linkOrNull(`${proc}/${pid}/fd/0`),
    innerProcess(process) {
      ownNamespace ??= linkOrNull(`${proc}/self/ns/pid`);
      const namespace = linkOrNull(`${proc}/${process.pid}/ns/pid`);
      if (namespace === null || namespace === ownNamespace) return null;
      const numbers = /^NSpid:\s+(.+)$/m.exec(read(`${process.pid}/status`) ?? "")?.[1]?.split(/\s+/) ?? [];
      return numbers.length > 1 ? { ...process, pid: Number(numbers.at(-1)), namespace } : null;
    },
    readProcessVariable: (pid, name) => variables(pid, [name]).get(name) ?? null,
    readProcessVariables: variables,
    findAll: (isIt) =>
      // The whole process is read of those whose arguments fit.
      numbersIn(proc, "")
        .filter((pid) => {
          const args = argumentsIn(read(`${pid}/cmdline`));
          return isIt({ ...unread, pid, command: basename(args[0] ?? ""), args });
        })
        .flatMap((pid) => look(pid) ?? [])
        .filter(isIt),
    // A question costs a few small files.
    forOneLook: () => reader,
  };
  return reader;
}

const unread = {
  ppid: 0,
  startTicks: null,
  startedAtMs: 0,
  leader: null,
  tty: null,
  isForeground: false,
} as const;

type ProcFiles = ReturnType<typeof procFiles>;

function procFiles(proc: string) {
  // A few hundred of these are read for a fleet; `join` would take as long as the reading.
  const read = (path: string) => textOrNull(`${proc}/${path}`);
  let bootMs: number | undefined;
  let isChecked = proc !== "/proc";

  function check(): void {
    if (!isChecked) needOwnProc(proc);
    isChecked = true;
  }

  function bootedAtMs(): number {
    check();
    const seconds = /^btime (\d+)$/m.exec(read("stat") ?? "")?.[1];
    if (seconds === undefined)
      throw new HiveError(`cannot read ${proc}`, { exitCode: exitCodes.couldNotLook });
    const told = Number(seconds) * 1000;
    const upMs = Number.parseFloat(read("uptime") ?? "") * 1000;
    // A container may have its own uptime, which its processes' start times do not refer to.
    const exact = Date.now() - upMs;
    return Math.abs(exact - told) < 2_000 ? exact + coarseMs : told + 1_000;
  }

  function livingStat(pid: number): ProcStat | null {
    const stat = parseProcStat(read(`${pid}/stat`) ?? "");
    return stat && !"ZX".includes(stat.state) ? stat : null;
  }

  return {
    read,
    check,
    look(pid: number): LinuxProcess | null {
      bootMs ??= bootedAtMs();
      const stat = livingStat(pid);
      if (stat === null) return null;
      return {
        pid,
        ppid: stat.ppid,
        startTicks: stat.startTicks,
        startedAtMs: Math.ceil(bootMs + (Number(stat.startTicks) * 1000) / ticksPerSecond),
        leader: stat.leader,
        tty: ttyOf(stat.ttyNumber),
        isForeground: stat.isForeground,
        group: stat.group,
        ...(stat.state === "T" ? { isStopped: true as const } : {}),
        command: stat.comm,
        threads: stat.threads,
        args: argumentsIn(read(`${pid}/cmdline`)),
      };
    },

    /** Children belong to the thread that created them; most programs have one thread. */
    listedChildren({ pid, threads }: LinuxProcess): number[] {
      const childrenOf = (thread: number) => numbersOf(read(`${pid}/task/${thread}/children`) ?? "");
      return threads === 1 ? childrenOf(pid) : numbersIn(proc, `${pid}/task`).flatMap(childrenOf);
    },

    childrenByParent(): (parent: LinuxProcess) => number[] {
      const children = groupBy(numbersIn(proc, ""), (pid) => livingStat(pid)?.ppid);
      return ({ pid }) => children.get(pid) ?? [];
    },
  };
}

function readTreesOf(
  { read, look, listedChildren, childrenByParent }: ProcFiles,
  roots: Parameters<ProcessReader["readTrees"]>[0],
): ProcessTable {
  const found = roots.flatMap((root) => {
    const seen = look(root.pid);
    return seen !== null && sitsAt(seen, root) ? [seen] : [];
  });
  const [first] = found;
  if (first === undefined) return processTable([], roots);
  const keepsLists = read(`${first.pid}/task/${first.pid}/children`) !== null;
  const childrenOf = keepsLists ? listedChildren : childrenByParent();
  const pids = new Set(found.map(({ pid }) => pid));
  // Grows during the loop until no process has an unread child.
  for (const parent of found) {
    for (const child of childrenOf(parent)) {
      if (pids.has(child)) continue;
      const seen = look(child);
      if (seen) found.push(seen);
      pids.add(child);
    }
  }
  return processTable(found, roots);
}

/** From the device number. tmux's terminals are Unix98 ones; the consoles are for completeness. */
export function ttyOf(device: number): string | null {
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  if (major >= 136 && major <= 143) return `/dev/pts/${(major - 136) * 256 + minor}`;
  if (major === 4) return minor < 64 ? `/dev/tty${minor}` : `/dev/ttyS${minor - 64}`;
  return null;
}

function argumentsIn(text: string | null): string[] {
  if (text === null) return [];
  return text.length > limits.sharedArgumentsLength ? split(text) : shared(text);
}

/** One list for all processes with the same arguments: agents/all.ts asks about each list once. */
const shared = remembered(split);

function split(text: string): string[] {
  return text === "" ? [] : text.replace(/\0$/, "").split("\0");
}

/** Most processes have no child. */
function numbersOf(list: string): number[] {
  return list === "" ? [] : list.split(" ").filter(Boolean).map(Number);
}

function numbersIn(proc: string, folder: string): number[] {
  const found = goneIsNull(() => readdirSync(`${proc}/${folder}`)) ?? [];
  return found.filter((name) => /^\d+$/.test(name)).map(Number);
}

function linkOrNull(path: string): string | null {
  return goneIsNull(() => readlinkSync(path));
}

/** A function of its own: one more closure for each of hundreds of files takes time. */
function textOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** A process may end between two reads: a missing or unreadable file gives null. */
function goneIsNull<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return ["ENOENT", "ESRCH", "EACCES", "EPERM", "ENOTDIR"].includes(errorCode(error) ?? "");
}
