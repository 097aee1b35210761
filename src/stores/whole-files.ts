// Files and folders of others that are moved or copied whole.
//
// [WHF1] Nothing is replaced: where something stands already, it is an error, and both stay as they are.
// [WHF2] Where a rename is not possible the copy is on disk, and the original was not written to meanwhile, before the
//        original goes.
// [WHF3] A folder goes with all that is in it; a link goes as a link, and is not followed.

import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { FileRefused, makeFolder, syncFolder } from "../base/atomic-file.js";
import { errorCode } from "../base/errors.js";
import { randomHex } from "../base/random.js";

export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Also a link that leads nowhere, and what may not be looked at. */
export function mayBeThere(path: string): boolean {
  try {
    return isThere(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return true;
  }
}

/** Two names of one file: a move that was interrupted between them. */
export function isSameFile(path: string, other: string): boolean {
  const [a, b] = [path, other].map((each) => lstatSync(each, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.isFile() && a.ino === b.ino && a.dev === b.dev;
}

export function moveNew(from: string, to: string): void {
  makeFolder(dirname(to));
  try {
    place(from, to);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    moveByCopy(from, to);
  }
  syncFolder(dirname(to));
}

/** For another file system; exported because a test has only one. */
export function moveByCopy(from: string, to: string): void {
  const before = stampOf(from);
  copyNew(from, to, { keepsTimes: true });
  if (stampOf(from) !== before) {
    rmSync(to, { recursive: true });
    throw new FileRefused(`${from} was written to while it was moved`);
  }
  rmSync(from, { recursive: true });
  syncFolder(dirname(from));
}

export function copyNew(from: string, to: string, { keepsTimes }: { keepsTimes: boolean }): void {
  makeFolder(dirname(to));
  const copy = join(dirname(to), `.${basename(to)}.${process.pid}-${randomHex(6)}.tmp`);
  try {
    copyTree(from, copy, keepsTimes);
    place(copy, to);
  } catch (error) {
    rmSync(copy, { recursive: true, force: true });
    throw error;
  }
  syncFolder(dirname(to));
}

/** Every regular file below, from the path given. */
export function filesBelow(path: string, name = ""): string[] {
  const at = join(path, name);
  const stat = lstatSync(at);
  if (stat.isDirectory()) return readdirSync(at).flatMap((each) => filesBelow(path, join(name, each)));
  return stat.isFile() ? [name] : [];
}

/** A link is made only where nothing is, which a rename does not promise; folders cannot be linked. */
function place(from: string, to: string): void {
  if (lstatSync(from).isFile()) {
    if (!isSameFile(from, to)) linkSync(from, to);
    unlinkSync(from);
    return;
  }
  if (isThere(to)) throw Object.assign(new Error(`EEXIST: ${to}`), { code: "EEXIST" });
  renameSync(from, to);
}

function copyTree(from: string, to: string, keepsTimes: boolean): void {
  const stat = lstatSync(from);
  if (stat.isSymbolicLink()) {
    symlinkSync(readlinkSync(from), to);
    return;
  }
  if (stat.isDirectory()) {
    mkdirSync(to, { mode: 0o700 });
    for (const name of readdirSync(from)) copyTree(join(from, name), join(to, name), keepsTimes);
  } else if (stat.isFile()) {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  } else {
    return;
  }
  if (keepsTimes) utimesSync(to, stat.atime, stat.mtime);
  // Of a file just as well.
  syncFolder(to);
}

function stampOf(path: string): string {
  const stamps = filesBelow(path).map((name) => {
    const { size, mtimeMs, ctimeMs } = lstatSync(join(path, name));
    return [name, size, mtimeMs, ctimeMs].join(" ");
  });
  return stamps.join("\n");
}
