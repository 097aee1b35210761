// Processes, from a pane's process downwards.
//
// - A table has only the requested trees.
// - A root is a pid and a terminal. A process with that pid at another terminal is a different one, and the root's
//   tree is empty.
// - A tree is in order of depth: the process itself, its children, their children.
// - A zombie counts as ended.
// - Of a process's environment, only the requested variables are returned.

import { groupBy } from "../group-by.js";

export interface ProcessInfo {
  pid: number;
  ppid: number;
  /** Linux: clock ticks from boot to its start; with the pid it identifies one process. Null if ps is the source. */
  startTicks: string | null;
  /** Never before its real start, and at most about a second after it. */
  startedAtMs: number;
  /**
   * Linux: the pid of the process that called setsid for it, itself or one before it; 0 if that one is outside our pid
   * namespace. Null if ps is the source.
   */
  leader: number | null;
  /** `/dev/pts/3`; null for a process without a terminal. */
  tty: string | null;
  /** Keys typed at its terminal go to it: not a job that was stopped or sent to the background. */
  isForeground: boolean;
  /** Linux: its process group. A shell makes one for each command line, named by the pid of its first process. */
  group?: number;
  /** Linux: a signal stopped it, such as the one of Ctrl-Z. */
  isStopped?: true;
  /** The program's short name. */
  command: string;
  /** Linux: how many threads it has. */
  threads?: number;
  /** The pid namespace of `pid`, if it is not ours. */
  namespace?: string;
  /**
   * If ps is the source: split at blanks, because ps does not show where an argument ends. Those of a root are whole if
   * it was started with the same words.
   */
  args: string[];
}

export interface TreeProcess extends ProcessInfo {
  /** 0 for the root. */
  depth: number;
}

export interface ProcessRoot {
  pid: number;
  tty: string;
  /** The words it was started with, perhaps behind those of programs that became it. Only for ps, which joins them. */
  startedWith?: () => readonly string[];
}

export interface ProcessTable {
  get(pid: number): ProcessInfo | null;
  /** The process and all its descendants; empty if it is not in the table. */
  treeOf(pid: number): readonly TreeProcess[];
}

export interface ProcessReader {
  readTrees(roots: readonly ProcessRoot[]): ProcessTable;
  findProcess(pid: number): ProcessInfo | null;
  /** Null if it is unset or unreadable. */
  readProcessVariable(pid: number, name: string): string | null;
  /** The terminal of its standard input, which need not be its controlling one; null if unknown. */
  readInput(pid: number): string | null;
  /** The process with its pid in its own pid namespace, if that is not ours. */
  innerProcess(process: ProcessInfo): ProcessInfo | null;
  /** The variables that are set, at the cost of reading one. */
  readProcessVariables(pid: number, names: readonly string[]): ReadonlyMap<string, string>;
  /**
   * Every process of the machine that fits. It reads the arguments of all, so only a rare question may ask it: who still
   * holds a conversation whose pane is gone. `isIt` may first get a process of which only pid and arguments are read.
   */
  findAll(isIt: (process: ProcessInfo) => boolean): ProcessInfo[];
  /**
   * For the questions of one look. Where a question costs a program, they are answered from one table, read at the first
   * question. Not for what a signal or a wait depends on: there each question counts.
   */
  forOneLook(): ProcessReader;
}

export function processTable(processes: Iterable<ProcessInfo>, roots: readonly ProcessRoot[]): ProcessTable {
  const byPid = new Map<number, ProcessInfo>();
  for (const process of processes) if (!byPid.has(process.pid)) byPid.set(process.pid, process);
  const children = groupBy(byPid.values(), ({ ppid }) => ppid);
  // Such a process may still belong to another tree, where it is included.
  const strangers = new Set(roots.filter((root) => !sitsAt(byPid.get(root.pid), root)).map(({ pid }) => pid));

  const trees = new Map<number, readonly TreeProcess[]>();
  function treeOf(pid: number): readonly TreeProcess[] {
    const known = trees.get(pid) ?? readTree(pid);
    trees.set(pid, known);
    return known;
  }

  function readTree(pid: number): TreeProcess[] {
    const root = strangers.has(pid) ? undefined : byPid.get(pid);
    const tree: TreeProcess[] = root ? [{ ...root, depth: 0 }] : [];
    // Grows during the loop: each appended process is one level deeper.
    for (const { pid, depth } of tree) {
      for (const child of children.get(pid) ?? []) tree.push({ ...child, depth: depth + 1 });
    }
    return tree;
  }

  return { get: (pid) => byPid.get(pid) ?? null, treeOf };
}

/** Ignores white space that tools leave around a terminal's name. */
export function sitsAt(process: ProcessInfo | undefined, root: ProcessRoot): process is ProcessInfo {
  return process !== undefined && process.tty === root.tty.trim();
}
