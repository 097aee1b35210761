// Moves and copies whole files and folders of other programs.
//
// - Nothing is replaced: an existing target is an error, and both stay unchanged.
// - If a rename is impossible, the original is deleted only if it was not written while the copy went to disk.
// - A folder moves with its content. A symbolic link is moved as a link and not followed.
// - A file that cannot be removed from its place stays there alone, without a copy.
// - The error of a failed move names both places.

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
import { errorCode, HiveError } from "../../base/errors.js";
import { FileRefused, makeFolder, syncFolder } from "../../base/files/atomic-file.js";
import { randomHex } from "../../base/random.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { shellWord } from "../../base/text/shell-word.js";

export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** True also for a dangling link, and for a path that may not be read. */
export function mayBeThere(path: string): boolean {
  try {
    return isThere(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return true;
  }
}

/** Two names of one file: left by an interrupted move. */
export function isSameFile(path: string, other: string): boolean {
  const [a, b] = [path, other].map((each) => lstatSync(each, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.isFile() && a.ino === b.ino && a.dev === b.dev;
}

export function moveNew(from: string, to: string): void {
  try {
    makeFolder(dirname(to));
    moveByLinkOrCopy(from, to);
    syncFolder(dirname(to));
  } catch (error) {
    if (errorCode(error) === undefined && !(error instanceof FileRefused)) throw error;
    throw unmoved(from, to, error as Error);
  }
}

/** For another file system; exported because a test has only one. */
export function moveByCopy(from: string, to: string): void {
  const before = stampOf(from);
  copyNew(from, to, { keepsTimes: true });
  if (stampOf(from) !== before) {
    rmSync(to, { recursive: true });
    throw new FileRefused(`${from} was written to while it was moved`);
  }
  // If this fails, a folder can be half deleted: then the copy is the only one of the rest.
  if (lstatSync(from).isDirectory()) rmSync(from, { recursive: true });
  else takeAway(from, to);
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

/** Every regular file below the path, relative to it. */
export function filesBelow(path: string, name = ""): string[] {
  const at = join(path, name);
  const stat = lstatSync(at);
  if (stat.isDirectory()) return readdirSync(at).flatMap((each) => filesBelow(path, join(name, each)));
  return stat.isFile() ? [name] : [];
}

function moveByLinkOrCopy(from: string, to: string): void {
  try {
    place(from, to);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    moveByCopy(from, to);
  }
}

/** A hard link fails if the target exists; a rename does not. Folders cannot be linked. */
function place(from: string, to: string): void {
  if (lstatSync(from).isFile()) {
    if (!isSameFile(from, to)) linkSync(from, to);
    takeAway(from, to);
    return;
  }
  if (isThere(to)) throw Object.assign(new Error(`EEXIST: ${to}`), { code: "EEXIST" });
  renameSync(from, to);
}

function unmoved(from: string, to: string, cause: Error & { syscall?: string }): HiveError {
  const isForbidden = ["EACCES", "EPERM", "EROFS"].includes(errorCode(cause) ?? "");
  const folder = shellWord(dirname(cause.syscall === "unlink" ? from : to));
  return new HiveError(`could not move ${harmless(from)} to ${harmless(to)}: ${harmless(cause.message)}`, {
    ...(isForbidden ? { hint: `check whether you can write there: ls -ld ${folder}` } : {}),
    cause,
  });
}

/** The second half of a move: `to` already exists. */
function takeAway(from: string, to: string): void {
  try {
    unlinkSync(from);
  } catch (error) {
    // Another process removed it.
    if (errorCode(error) === "ENOENT") return;
    unlinkSync(to);
    throw error;
  }
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
  // Works for a file, too.
  syncFolder(to);
}

function stampOf(path: string): string {
  const stamps = filesBelow(path).map((name) => {
    const { size, mtimeMs, ctimeMs } = lstatSync(join(path, name));
    return [name, size, mtimeMs, ctimeMs].join(" ");
  });
  return stamps.join("\n");
}
