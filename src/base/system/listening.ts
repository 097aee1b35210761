// Where a process itself listens: a file can name any path, and an argument any port.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { listensAtByLsof, loopbackPortsByLsof } from "./lsof.js";

const hasProc = process.platform === "linux";

/** Null if the system does not say. */
export const listensAt: (pid: number, path: string) => boolean | null = hasProc
  ? listensAtByProc
  : listensAtByLsof;

/** The TCP ports of 127.0.0.1 at which this very process accepts connections; null if the system does not say. */
export const loopbackPorts: (pid: number) => number[] | null = hasProc
  ? loopbackPortsByProc
  : loopbackPortsByLsof;

export function listensAtByProc(pid: number, path: string): boolean | null {
  try {
    const inodes = new Set(listeners(readFileSync("/proc/net/unix", "utf8"), path));
    return inodes.size > 0 && socketsOf(pid).some((inode) => inodes.has(inode));
  } catch {
    return null;
  }
}

/** Whether any process accepts connections there, as far as this system's table shows. */
export function isListening(path: string): boolean {
  try {
    return listeners(readFileSync("/proc/net/unix", "utf8"), path).length > 0;
  } catch {
    return false;
  }
}

/** The inodes of the sockets that accept connections at this path: `… Flags Type St Inode Path`. */
export function listeners(table: string, path: string): string[] {
  const accepts = 0x10000;
  return table.split("\n").flatMap((row) => {
    const [, flags = "", inode = "", own] = /^\S+ \S+ \S+ (\S+) \S+ \S+ +(\d+) (.*)$/.exec(row) ?? [];
    return own === path && (Number.parseInt(flags, 16) & accepts) !== 0 ? [inode] : [];
  });
}

export function loopbackPortsByProc(pid: number): number[] | null {
  try {
    const own = new Set(socketsOf(pid));
    const table = loopbackListeners(readFileSync(`/proc/${pid}/net/tcp`, "utf8"));
    return table.flatMap(({ port, inode }) => (own.has(inode) ? port : []));
  } catch {
    return null;
  }
}

/** `  0: 0100007F:1000 00000000:0000 0A … inode`: addresses are little-endian, state 0A accepts connections. */
export function loopbackListeners(table: string): { port: number; inode: string }[] {
  return table.split("\n").flatMap((row) => {
    const words = row.trim().split(/\s+/);
    const [, port] = /^0100007F:([0-9A-F]{4})$/.exec(words[1] ?? "") ?? [];
    return port === undefined || words[3] !== "0A"
      ? []
      : [{ port: Number.parseInt(port, 16), inode: words[9]! }];
  });
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${fd}`))?.[1] ?? [];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}
