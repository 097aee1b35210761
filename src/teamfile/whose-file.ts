// Whether a team file may be used: what it says is run as us, now and whenever `watch` or `reload` reads it again.
//
// [TFG1] The file, and each link that leads to it, is ours or root's, and so is the folder in which it lies. Nobody else may
//        write into either: the sticky bit keeps others from replacing a file, not from being there first.
// [TFG2] Our own primary group is not somebody else: where everybody has a group of their own, folders are 0775. Any other
//        group is.
// [TFG3] A file that was named by hand is no exception: it is read again later, when nobody looks.

import { lstatSync, readlinkSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { shellWord } from "../base/shell-word.js";
import { limits } from "../limits.js";

export interface Us {
  uid: number;
  /** The primary group. */
  gid: number;
}

export type Owned = Pick<Stats, "uid" | "gid" | "mode">;

export type Fault = { fault: "owner"; uid: number } | { fault: "anybody" } | { fault: "group"; gid: number };

/** What is wrong with one file, link or folder; null where only we and root can change it. */
export function faultOf({ uid, gid, mode }: Owned, us: Us): Fault | null {
  if (uid !== us.uid && uid !== 0) return { fault: "owner", uid };
  // The mode of a link says nothing: Linux shows 0777 for each.
  if ((mode & fileType) === link) return null;
  if ((mode & 0o002) !== 0) return { fault: "anybody" };
  return (mode & 0o020) !== 0 && gid !== us.gid && gid !== 0 ? { fault: "group", gid } : null;
}

/** Each hop of the path to the file, and the folder in which it lies. */
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
  throw new HiveError(`${harmless(path)} cannot be read: it is a link through too many others`);
}

/** `path` is the team file that lies there, or would. */
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
    ? "can be written by anybody"
    : `can be written by another group than your own (gid ${fault.gid})`;
}

function mendWords(fault: Fault, at: string, path: string): string {
  const copy = `read it, and take a copy into a folder of your own: cp ${shellWord(path)} FOLDER`;
  if (fault.fault === "owner") return copy;
  const bits = fault.fault === "anybody" ? "o-w" : "g-w";
  return `if it is yours: chmod ${bits} ${shellWord(at)}; else ${copy}`;
}

const fileType = 0o170000;
const link = 0o120000;
