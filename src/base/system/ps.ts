// Runs ps, on systems without /proc, and reads what it prints.
//
// - One call prints the whole table: every process with its name and its arguments.
// - A line that does not parse is skipped. A ps that cannot be run is an error, not an empty table.
// - Times are printed in one form and zone, so the text of a start is the same for everyone who asks.
// - ps joins arguments with blanks, and does not show where one ends.

import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import { limits } from "../../limits.js";
import { exitCodes, HiveError } from "../errors.js";
import type { ProcessInfo } from "./process.js";

export interface PsProcess extends ProcessInfo {
  /** As ps prints its start and its arguments. */
  started: string;
  line: string;
}

const fields = ["pid=", "ppid=", "stat=", "tty=", "lstart=", "ucomm=PROGRAM", "args=ARGUMENTS"];
export const tableArguments: readonly string[] = ["-A", "-ww", ...fields.flatMap((field) => ["-o", field])];

/** Every process of the machine. */
export function psTable(): PsProcess[] {
  const table = parseTable(ps(tableArguments));
  ownStart ??= table.find(({ pid }) => pid === process.pid)?.started;
  return table;
}

/** How ps prints the start of a process; null if it does not show the process. Our own is asked at most once. */
export function startByPs(pid: number): { start: string } | "ended" | null {
  if (pid === process.pid && ownStart !== undefined) return { start: ownStart };
  const [state = "", ...words] = askStart(pid).trim().split(/\s+/);
  if (state === "") return null;
  if (state.startsWith("Z")) return "ended";
  const start = words.join(" ");
  if (pid === process.pid) ownStart = start;
  return { start };
}

function askStart(pid: number): string {
  try {
    return ps(["-o", "stat=,lstart=", "-p", String(pid)]);
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
    return "";
  }
}

let ownStart: string | undefined;

/** Arguments and environment of these processes, as ps prints them one after the other. */
export function psEnvironments(pids: readonly number[]): ReadonlyMap<number, string> {
  // On macOS `e` would mean `-e`, every process; Linux has no `-E`.
  const flags = process.platform === "darwin" ? ["-E", "-ww"] : ["eww"];
  return parseEnvironments(ps([...flags, "-o", "pid=,args=", "-p", pids.join(",")]));
}

export function parseEnvironments(text: string): ReadonlyMap<number, string> {
  const lines = text.split("\n");
  return new Map(
    lines.flatMap((line) => {
      const [, pid, text] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
      return pid === undefined ? [] : [[Number(pid), text!.trimEnd()] as const];
    }),
  );
}

/** The head has only the two last columns: the width of a name is the distance between them. */
export function parseTable(text: string, platform: string = process.platform): PsProcess[] {
  const [head = "", ...lines] = text.split("\n");
  const nameWidth = head.indexOf("ARGUMENTS") - head.indexOf("PROGRAM");
  return lines.flatMap((line) => parseProcess(line, nameWidth, platform) ?? []);
}

const form = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+\d\d:\d\d:\d\d\s+\d{4})\s+(\S.*)$/;

function parseProcess(line: string, nameWidth: number, platform: string): PsProcess | null {
  const match = form.exec(line);
  if (match === null) return null;
  const [, pid, ppid, state, tty, at, rest] = match as unknown as string[];
  if (state!.startsWith("Z")) return null;
  const started = at!.split(/\s+/).join(" ");
  const text = rest!.slice(nameWidth).trimEnd();
  const args = text.trim().split(/\s+/);
  return {
    pid: Number(pid),
    ppid: Number(ppid),
    startTicks: null,
    // ps gives the second of the start; the end of it is never too early.
    startedAtMs: Date.parse(`${started} UTC`) + 999,
    // ps of macOS prints 0 or an address instead.
    leader: null,
    tty: /^\?+$|^-$/.test(tty!) ? null : `/dev/${tty!.replace(/^\/dev\//, "")}`,
    isForeground: state!.includes("+"),
    command: nameOf(rest!.slice(0, nameWidth).trim(), args[0]!, platform),
    args: text.trim() === "" ? [] : args,
    started,
    line: text,
  };
}

/** On Linux a program can change its name. On macOS it can only change its arguments, so a bare word there counts. */
function nameOf(name: string, first: string, platform: string): string {
  const isTitle = platform === "darwin" && /^\w[^/]*$/.test(first);
  return isTitle ? first : basename(name);
}

/** Exit code 1 without output means that there is no such process. */
function ps(argv: readonly string[]): string {
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
