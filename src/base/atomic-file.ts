// Whole files that change in one step, and whole lines that are added in one.
//
// [AF1] Whoever looks, at any moment, finds the old content or the new, never a part.
// [AF2] A write that fails leaves the old content and nothing beside it.
// [AF3] What is written is private to its owner: files 0600, new folders 0700.
// [AF4] A line is added whole or not at all, and never to the end of somebody's unfinished one.
// [AF5] Only a regular file is read or added to: a symbolic link, folder or pipe in its place is refused.
// [AF6] A folder whose name we chose is refused when it is a symbolic link: what is in it would lie elsewhere.

import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "./errors.js";
import { randomHex } from "./random.js";

/** The path leads to something that is not a plain file of a reasonable size. */
export class FileRefused extends Error {
  override name = "FileRefused";
}

export class FileTooLarge extends FileRefused {}

/** `mode` is for a file that is not ours: somebody else's keeps the one it has. */
export function replaceFile(path: string, bytes: Uint8Array | string, mode?: number): void {
  const temporary = writeBeside(path, bytes, mode);
  try {
    renameSync(temporary, path);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
  syncFolder(dirname(path));
}

/** False when there is something at that path already: it stays as it is. `mode` as above. */
export function createFile(path: string, bytes: Uint8Array | string, mode?: number): boolean {
  const temporary = writeBeside(path, bytes, mode);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    return false;
  } finally {
    unlinkSync(temporary);
  }
  syncFolder(dirname(path));
  return true;
}

/** Fails as `replaceFile` would with that many bytes; nothing is left of it. */
export function rehearseWrite(path: string, sizeBytes: number): void {
  unlinkSync(writeBeside(path, new Uint8Array(sizeBytes)));
}

/** True when there was something to remove. */
export function removeFile(path: string): boolean {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
  syncFolder(dirname(path));
  return true;
}

/**
 * `text` is one or more whole lines, each with its line end, written in one call. The caller holds the file's
 * lock: what a full disk cut off is taken back, and that must not take back the line of another.
 */
export function appendLines(path: string, text: string): void {
  makeFolder(dirname(path));
  const standing = openRegular(path, constants.O_RDWR | constants.O_APPEND);
  const fd = standing ?? openRegular(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT)!;
  try {
    appendWhole(fd, endsInsideLine(fd) ? `\n${text}` : text);
  } finally {
    closeSync(fd);
  }
  if (standing === null) syncFolder(dirname(path));
}

/** Ends a line that its dead writer did not finish with a mark that no gate lets through. */
export function closeTornLine(path: string): void {
  const fd = openRegular(path, constants.O_RDWR | constants.O_APPEND);
  if (fd === null) return;
  try {
    if (endsInsideLine(fd)) appendWhole(fd, `${tornMark}\n`);
  } finally {
    closeSync(fd);
  }
}

/** Null when there is no such file. */
export function readBytes(path: string, maxBytes: number): Buffer | null {
  const fd = openRegular(path, constants.O_RDONLY);
  if (fd === null) return null;
  try {
    const { size } = fstatSync(fd);
    if (size > maxBytes) throw new FileTooLarge(`it has ${size} bytes, more than ${maxBytes}`);
    return readAll(fd, size);
  } finally {
    closeSync(fd);
  }
}

/** At most so many bytes; null when there is no such file. */
export function readBeginning(path: string, atMostBytes: number): Buffer | null {
  const fd = openRegular(path, constants.O_RDONLY);
  if (fd === null) return null;
  try {
    return readAll(fd, Math.min(fstatSync(fd).size, atMostBytes));
  } finally {
    closeSync(fd);
  }
}

/** Null when there is nothing at that path. Opened without waiting, because a pipe would wait for its other end. */
export function openRegular(path: string, flags: number): number | null {
  let fd: number;
  try {
    fd = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    if (errorCode(error) === "ELOOP") throw new FileRefused("it is a symbolic link");
    if (errorCode(error) === "EISDIR") throw new FileRefused("it is a folder");
    if (errorCode(error) === "ENXIO") throw new FileRefused("it is not a regular file");
    throw error;
  }
  const stat = fstatSync(fd);
  if (stat.isFile()) return fd;
  closeSync(fd);
  throw new FileRefused(stat.isDirectory() ? "it is a folder" : "it is not a regular file");
}

/** For a folder below the one a person named; theirs may be a link. */
export function refuseLinkedFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new FileRefused("it is a symbolic link");
  }
}

export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/**
 * What killed writers left beside a file, or beside any file of a folder. Only for who holds the lock: then no
 * other writer is at work, and whatever lies there is nobody's.
 */
export function sweepTemporary(folder: string, name?: string): void {
  for (const found of readdirSync(folder)) {
    const match = /^\.(.+)\.\d+-[0-9a-f]{12}\.tmp$/.exec(found);
    if (match !== null && (name === undefined || match[1] === name)) unlinkSync(join(folder, found));
  }
}

/** CAN, "cancel": a control character, so no field that holds it is valid. */
const tornMark = "\u0018";

function writeBeside(path: string, bytes: Uint8Array | string, mode?: number): string {
  makeFolder(dirname(path));
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}-${randomHex(6)}.tmp`);
  const fd = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    writeAll(fd, Buffer.from(bytes));
    if (mode !== undefined) fchmodSync(fd, mode);
    fsyncSync(fd);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  } finally {
    closeSync(fd);
  }
  return temporary;
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}

function appendWhole(fd: number, text: string): void {
  const { size } = fstatSync(fd);
  try {
    const bytes = Buffer.from(text);
    if (writeSync(fd, bytes) < bytes.length) {
      throw Object.assign(new Error("no space left on the device"), { code: "ENOSPC" });
    }
    fdatasyncSync(fd);
  } catch (error) {
    ftruncateSync(fd, size);
    throw error;
  }
}

function endsInsideLine(fd: number): boolean {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}

function readAll(fd: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let done = 0;
  while (done < size) {
    const got = readSync(fd, bytes, done, size - done, done);
    if (got === 0) break;
    done += got;
  }
  return bytes.subarray(0, done);
}

/** A new name is only on disk once its folder is. */
export function syncFolder(path: string): void {
  const fd = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
