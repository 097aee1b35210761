// Decides whether a team file may be used: its contents run as us, now and whenever `watch` or `reload` reads it
// again.
//
// - The file, each link to it, and its folder must belong to us or root, and no one else may write to them. The
//   sticky bit is not enough: it keeps others from replacing a file, not from creating it first.
// - Our own primary group is allowed, because on systems with one group per user folders are 0775. Any other group
//   is not.
// - A file given by hand is no exception: it is read again later, unattended.

import { lstatSync, readlinkSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { shellWord } from "../base/text/shell-word.js";
import { limits } from "../limits.js";

export interface Us {
  uid: number;
  /** The primary group. */
  gid: number;
}

export type Owned = Pick<Stats, "uid" | "gid" | "mode">;

export type Fault = { fault: "owner"; uid: number } | { fault: "anybody" } | { fault: "group"; gid: number };

/** What is wrong with one file, link or folder; null if only we and root can change it. */
export function faultOf({ uid, gid, mode }: Owned, us: Us): Fault | null {
  if (uid !== us.uid && uid !== 0) return { fault: "owner", uid };
  // The mode of a link means nothing: Linux shows 0777 for each.
  if ((mode & fileType) === link) return null;
  if ((mode & 0o002) !== 0) return { fault: "anybody" };
  return (mode & 0o020) !== 0 && gid !== us.gid && gid !== 0 ? { fault: "group", gid } : null;
}

/** Checks each hop of the path to the file, and its folder. */
export function refuseForeignFile(path: string, us: Us = ourselves()): void {
  let at = path;
  for (let hops = 0; hops < limits.teamFileLinks; hops++) {
    refuseSharedFolder(dirname(at), path, us);
    const stat = lstatSync(at);
    const fault = faultOf(stat, us);
    if (fault !== null) throw refusal(path, at, fault, "file");
    if (!stat.isSymbolicLink()) return;
    at = resolve(dirname(at), readlinkSync(at));
  }
  throw new HiveError(`${harmless(path)} is unreadable: too many links in a chain`);
}

/** `path` is the team file in this folder, or the one to be written. */
export function refuseSharedFolder(folder: string, path: string, us: Us = ourselves()): void {
  const fault = faultOf(statSync(folder), us);
  if (fault !== null) throw refusal(path, folder, fault, "folder");
}

function ourselves(): Us {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

function refusal(path: string, at: string, fault: Fault, what: "file" | "folder"): HiveError {
  const isItself = at === path;
  const place = isItself ? "it" : `${what === "folder" ? "its folder" : "the link's target"} ${harmless(at)}`;
  return new HiveError(`refused the team file ${harmless(path)}: ${place} ${faultWords(fault)}`, {
    hint: mendWords(fault, at, path),
  });
}

function faultWords(fault: Fault): string {
  if (fault.fault === "owner") return `belongs to another user (uid ${fault.uid})`;
  return fault.fault === "anybody"
    ? "is writable by everyone"
    : `is writable by a group other than your own (gid ${fault.gid})`;
}

function mendWords(fault: Fault, at: string, path: string): string {
  const copy = `read it, then copy it to your own folder: cp ${shellWord(path)} FOLDER`;
  if (fault.fault === "owner") return copy;
  const bits = fault.fault === "anybody" ? "o-w" : "g-w";
  return `if it is yours: chmod ${bits} ${shellWord(at)}; otherwise ${copy}`;
}

const fileType = 0o170000;
const link = 0o120000;
