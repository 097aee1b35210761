// Reads processes from ps, on systems without /proc.
//
// A look calls ps when it first asks for a process, and answers everything from that table; a second call for all
// environments comes with the first question for a variable. A reader that is not of one look calls ps for each
// question: after a signal, and before one, nothing older will do.

import { readInputByLsof } from "./lsof.js";
import { type ProcessInfo, type ProcessReader, processTable, sitsAt } from "./process.js";
import { type PsProcess, psEnvironments, psTable } from "./ps.js";

export function psProcesses(): ProcessReader {
  return {
    readInput: readInputByLsof,
    innerProcess: () => null,
    findProcess: (pid) => psLook().findProcess(pid),
    readTrees: (roots) => psLook().readTrees(roots),
    findAll: (isIt) => psLook().findAll(isIt),
    readProcessVariable: (pid, name) => psLook().readProcessVariable(pid, name),
    readProcessVariables: (pid, names) => psLook().readProcessVariables(pid, names),
    forOneLook: psLook,
  };
}

function psLook(): ProcessReader {
  let table: ReadonlyMap<number, PsProcess> | undefined;
  const environments = new Map<number, string>();
  /** Of the trees that were asked for: who asks for a variable of one of them will ask for the others. */
  const shown = new Set<number>();

  function read(): ReadonlyMap<number, PsProcess> {
    table ??= new Map(psTable().map((each) => [each.pid, each]));
    return table;
  }

  function environmentOf(pid: number): string {
    const found = read().get(pid);
    if (found === undefined) return "";
    if (!environments.has(pid)) {
      const asked = [pid, ...[...shown].filter((each) => !environments.has(each))];
      const printed = psEnvironments(asked);
      for (const each of asked) environments.set(each, printed.get(each) ?? "");
    }
    const all = environments.get(pid)!;
    return all.startsWith(found.line) ? all.slice(found.line.length) : "";
  }

  function variables(pid: number, names: readonly string[]): ReadonlyMap<string, string> {
    const environment = environmentOf(pid);
    const values = names.map((name) => [name, variableIn(environment, name)] as const);
    return new Map(values.filter((each): each is [string, string] => each[1] !== null));
  }

  const look: ProcessReader = {
    readInput: readInputByLsof,
    innerProcess: () => null,
    findProcess: (pid) => infoOf(read().get(pid)),
    findAll: (isIt) => [...read().values()].map((each) => infoOf(each)!).filter(isIt),
    readTrees(roots) {
      if (roots.length === 0) return processTable([], roots);
      const all = processTable(
        [...read().values()].map((each) => infoOf(each)!),
        roots,
      );
      const found = roots.flatMap((root) =>
        sitsAt(all.get(root.pid) ?? undefined, root) ? all.treeOf(root.pid) : [],
      );
      for (const { pid } of found) shown.add(pid);
      const wordsOf = new Map(roots.map(({ pid, startedWith }) => [pid, startedWith]));
      return processTable(
        found.map(({ depth: _, ...each }) => ({
          ...each,
          args: wholeArguments(wordsOf.get(each.pid)?.() ?? [], read().get(each.pid)!.line) ?? each.args,
        })),
        roots,
      );
    },
    readProcessVariable: (pid, name) => variables(pid, [name]).get(name) ?? null,
    readProcessVariables: variables,
    forOneLook: () => look,
  };
  return look;
}

/** Null unless the last of these words, joined as ps joins them, are what it prints. */
function wholeArguments(words: readonly string[], line: string): string[] | null {
  const from = words.findIndex((_, at) => words.slice(at).join(" ").trimEnd() === line);
  return from < 0 ? null : words.slice(from);
}

function infoOf(found: PsProcess | undefined): ProcessInfo | null {
  if (found === undefined) return null;
  const { started: _, line: __, ...info } = found;
  return info;
}

/** `A=1 B=two words C=3`: a value extends to the next text that looks like a variable. */
export function variableIn(environment: string, name: string): string | null {
  const entries = environment.split(/ (?=[A-Za-z_][A-Za-z0-9_]*=)/);
  return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}
