// Whether a process itself listens at a unix socket: a file can name any path.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Null if the system does not say. */
export function listensAt(pid: number, path: string): boolean | null {
  if (process.platform !== "linux") return null;
  try {
    const inodes = new Set(listeners(readFileSync("/proc/net/unix", "utf8"), path));
    return inodes.size > 0 && socketsOf(pid).some((inode) => inodes.has(inode));
  } catch {
    return null;
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
