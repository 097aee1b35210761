// Processes, as far down from a pane as they go.
//
// [PR1] Only the trees that were asked for are looked at, never the whole table of processes.
// [PR2] A root is its number and its terminal: a process that has the number but sits elsewhere is another one,
//       and the tree of that root is empty.
// [PR3] A tree is told nearest first: the process itself, its children, theirs.
// [PR4] A process that ended and was not collected yet counts as ended.
// [PR5] Of a process's environment only the variables asked for are handed on.

export interface ProcessInfo {
  pid: number;
  ppid: number;
  /** Linux: clock ticks from boot to its start; with the pid the name of one process. Null where ps is the source. */
  startTicks: string | null;
  /** Never before its start, and at most about a second behind it. */
  startedAtMs: number;
  /** `/dev/pts/3`; null for a process without a terminal. */
  tty: string | null;
  /** Keys that are pressed at its terminal go to it: no job that was stopped or sent to the background. */
  isForeground: boolean;
  /** The program's short name. */
  command: string;
  /** The pid namespace that its number is of, where that is not ours. */
  namespace?: string;
  /** Where ps is the source: split at spaces, because ps does not tell where an argument ends. */
  args: string[];
}

export interface TreeProcess extends ProcessInfo {
  /** 0 for the root. */
  depth: number;
}

export interface ProcessRoot {
  pid: number;
  tty: string;
}

export interface ProcessTable {
  get(pid: number): ProcessInfo | null;
  /** The process and all below it; empty when it is not (or no longer) in the table. */
  treeOf(pid: number): TreeProcess[];
}

export interface ProcessReader {
  readTrees(roots: readonly ProcessRoot[]): ProcessTable;
  findProcess(pid: number): ProcessInfo | null;
  /** Null when it is not set, or not ours to read. */
  readProcessVariable(pid: number, name: string): string | null;
  /** The terminal it reads from, which need not be the one that controls it; null where nobody can tell. */
  readInput(pid: number): string | null;
  /** The number it has in its own pid namespace, where that is not ours. */
  innerProcess(process: ProcessInfo): ProcessInfo | null;
  /** Those of them that are set, at the cost of one. */
  readProcessVariables(pid: number, names: readonly string[]): ReadonlyMap<string, string>;
}

export function processTable(processes: Iterable<ProcessInfo>, roots: readonly ProcessRoot[]): ProcessTable {
  const byPid = new Map<number, ProcessInfo>();
  const children = new Map<number, ProcessInfo[]>();
  for (const process of processes) {
    if (byPid.has(process.pid)) continue;
    byPid.set(process.pid, process);
    children.set(process.ppid, [...(children.get(process.ppid) ?? []), process]);
  }
  // Such a process may still belong to another tree, where it is shown.
  const strangers = new Set(roots.filter((root) => !sitsAt(byPid.get(root.pid), root)).map(({ pid }) => pid));

  function treeOf(pid: number): TreeProcess[] {
    const root = strangers.has(pid) ? undefined : byPid.get(pid);
    const tree: TreeProcess[] = root ? [{ ...root, depth: 0 }] : [];
    // Grows while it is walked: what is appended is one level deeper than all before it.
    for (const { pid, depth } of tree) {
      for (const child of children.get(pid) ?? []) tree.push({ ...child, depth: depth + 1 });
    }
    return tree;
  }

  return { get: (pid) => byPid.get(pid) ?? null, treeOf };
}

/** Compared without the stray white space that tools leave around a terminal's name. */
export function sitsAt(process: ProcessInfo | undefined, root: ProcessRoot): process is ProcessInfo {
  return process !== undefined && process.tty === root.tty.trim();
}
