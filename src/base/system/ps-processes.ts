// Reads processes from ps, on systems without /proc.
//
// One call for the requested terminals and one for the arguments, for any number of roots. A line that does not
// parse is skipped. A ps that cannot be run is an error, not an empty table.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { limits } from "../../limits.js";
import { exitCodes, HiveError } from "../errors.js";
import { type ProcessInfo, type ProcessReader, processTable } from "./process.js";

export function psProcesses(): ProcessReader {
  return {
    readInput: () => null,
    innerProcess: () => null,
    findProcess: (pid) => look(["-p", String(pid)])[0] ?? null,
    readTrees: (roots) => processTable(lookAtTerminals(roots.map(({ tty }) => tty.trim())), roots),
    readProcessVariable: (pid, name) => variables(pid, [name]).get(name) ?? null,
    readProcessVariables: variables,
  };
}

function variables(pid: number, names: readonly string[]): ReadonlyMap<string, string> {
  const args = ps(["-ww", "-o", "args=", "-p", String(pid)]).trimEnd();
  const all = ps([...withEnvironment, "-o", "args=", "-p", String(pid)]).trimEnd();
  const environment = all.startsWith(args) ? all.slice(args.length) : "";
  return new Map(
    names.flatMap((name) => {
      const value = variableIn(environment, name);
      return value === null ? [] : [[name, value] as const];
    }),
  );
}

/** `A=1 B=two words C=3`: a value extends to the next text that looks like a variable. */
export function variableIn(environment: string, name: string): string | null {
  const entries = environment.split(/ (?=[A-Za-z_][A-Za-z0-9_]*=)/);
  return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}

export function parseProcess(line: string): ProcessInfo | null {
  const match =
    /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+\d\d:\d\d:\d\d\s+\d{4})\s+(.*)$/.exec(line);
  if (match === null) return null;
  const [, pid, ppid, state, tty, started, command] = match as unknown as string[];
  if (state!.startsWith("Z")) return null;
  return {
    pid: Number(pid),
    ppid: Number(ppid),
    startTicks: null,
    // ps gives the second of the start; the end of it is never too early.
    startedAtMs: Date.parse(`${started} UTC`) + 999,
    // ps of macOS prints an address instead.
    leader: null,
    tty: /^\?+$|^-$/.test(tty!) ? null : `/dev/${tty!.replace(/^\/dev\//, "")}`,
    isForeground: state!.includes("+"),
    // macOS prints the whole path.
    command: basename(command!.trim()),
    args: [],
  };
}

const columns = "pid=,ppid=,stat=,tty=,lstart=,comm=";
// On macOS `e` would mean `-e`, every process; Linux has no `-E`.
const withEnvironment = process.platform === "darwin" ? ["-E", "-ww"] : ["eww"];

function lookAtTerminals(named: readonly string[]): ProcessInfo[] {
  // ps refuses the whole query if one terminal has closed since the listing.
  const ttys = [...new Set(named)].filter((tty) => existsSync(tty));
  if (ttys.length === 0) return [];
  try {
    return look(["-t", ttys.map((tty) => tty.replace(/^\/dev\//, "")).join(",")]);
  } catch (error) {
    if (ttys.every((tty) => existsSync(tty))) throw error;
    return lookAtTerminals(ttys);
  }
}

function look(which: string[]): ProcessInfo[] {
  const processes = linesOf(ps(["-o", columns, ...which])).map(parseProcess);
  const args = new Map(linesOf(ps(["-ww", "-o", "pid=,args=", ...which])).map(parseArgs));
  return processes.flatMap((process) => (process ? [{ ...process, args: args.get(process.pid) ?? [] }] : []));
}

function parseArgs(line: string): [number, string[]] {
  const [pid, ...args] = line.trim().split(/\s+/);
  return [Number(pid), args];
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

/** With times in one form and zone. Exit code 1 without output means that there is no such process. */
function ps(argv: string[]): string {
  const utf8 = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
  const env = { PATH: process.env.PATH, TZ: "UTC", LC_CTYPE: utf8, LC_TIME: "C" };
  const bounds = { timeout: limits.psTimeoutMs, maxBuffer: limits.psOutputBytes };
  const { status, stdout, stderr, error } = spawnSync("ps", argv, { env, encoding: "utf8", ...bounds });
  if (status === 0 || (status === 1 && stderr.trim() === "")) return stdout;
  throw new HiveError(`ps: ${error?.message ?? stderr.trim().split("\n")[0]}`, {
    exitCode: exitCodes.couldNotLook,
    hint: `check whether this works: ps ${argv.join(" ")}`,
  });
}
