// What a process has open, from lsof, on systems without /proc. Every Mac has it.
//
// Null means that lsof could not be asked, or that it printed nothing about the process.

import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";
import { limits } from "../../limits.js";

export const lsofQueries = {
  folder: ["-d", "cwd"],
  input: ["-d", "0"],
  unixSockets: ["-U"],
  listening: ["-nP", "-iTCP", "-sTCP:LISTEN"],
} as const;

export function folderByLsof(pid: number): string | null {
  return namesOf(pid, "folder")?.[0] ?? null;
}

export function readInputByLsof(pid: number): string | null {
  return namesOf(pid, "input")?.[0] ?? null;
}

/** A socket is at a path if its process bound it there, so also before it listens. */
export function listensAtByLsof(pid: number, path: string): boolean | null {
  const names = namesOf(pid, "unixSockets");
  return names === null ? null : isBound(names, path);
}

export function isBound(names: readonly string[], path: string): boolean | null {
  // lsof of Linux adds ` type=STREAM`.
  if (names.some((name) => name.replace(/ type=[A-Z]+.*$/, "") === path)) return true;
  // That of Linux ends a path at its first blank.
  return /\s/.test(path) ? null : false;
}

export function loopbackPortsByLsof(pid: number): number[] | null {
  const names = namesOf(pid, "listening");
  return names === null ? null : portsIn(names);
}

export function portsIn(names: readonly string[]): number[] {
  return names.flatMap((name) => portIn(name) ?? []);
}

/** `127.0.0.1:4096`; on `*` and on other addresses somebody else could answer. */
function portIn(name: string): number | null {
  const port = /^127\.0\.0\.1:(\d+)$/.exec(name)?.[1];
  return port === undefined ? null : Number(port);
}

function namesOf(pid: number, query: keyof typeof lsofQueries): string[] | null {
  const printed = lsof(["-a", "-p", String(pid), ...lsofQueries[query], "-Fn"]);
  return printed === null ? null : parseNames(printed);
}

/** One field per line: `p4711`, `fcwd`, `n/Users/me`. */
export function parseNames(printed: string): string[] {
  return printed.split("\n").flatMap((line) => (line.startsWith("n") ? line.slice(1) : []));
}

/** Its exit code is 1 also if the process has nothing of this sort open. */
function lsof(argv: readonly string[]): string | null {
  const utf8 = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
  // macOS has it where a service's PATH may not look.
  const env = { PATH: `${process.env.PATH ?? ""}${delimiter}/usr/sbin`, LC_ALL: utf8 };
  const bounds = { timeout: limits.psTimeoutMs, maxBuffer: limits.psOutputBytes };
  const { status, stdout } = spawnSync("lsof", argv, { env, encoding: "utf8", ...bounds });
  return status === 0 || status === 1 ? stdout : null;
}
