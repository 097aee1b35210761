// Replaces whole files in one step, and appends whole lines in one step.
//
// [AF1] A reader finds the old content or the new at any moment, never a part.
// [AF2] A failed write leaves the old content and no other file.
// [AF3] Written files are private to their owner: files 0600, new folders 0700.
// [AF4] A line is appended fully or not at all, and never to an incomplete line.
// [AF5] Only a regular file is read or appended to: a symbolic link, folder or pipe in its place is refused.
// [AF6] A folder whose name we chose is refused if it is a symbolic link: its content would be elsewhere.

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
  rmdirSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../errors.js";
import { randomHex } from "../random.js";

/** The path is not a regular file of a reasonable size. */
export class FileRefused extends Error {
  override name = "FileRefused";
}

export class FileTooLarge extends FileRefused {}

/** `mode` is for files of other programs: those keep the mode they have. */
export function replaceFile(path: string, bytes: Uint8Array | string, mode?: number): void {
  moveOver(path, writeBeside(path, bytes, mode));
  syncFolder(dirname(path));
}

/**
 * Does not wait for the disk, so that a power failure may leave a torn file: only for what is checked when it is
 * read, and can be made again. The parts are written one after the other: as one they would take twice the memory.
 */
export function replaceDisposable(path: string, ...parts: readonly Uint8Array[]): void {
  moveOver(path, writeBeside(path, parts, undefined, "unsynced"));
}

/** False if the path already exists: it stays unchanged. `mode` as above. */
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

/** Fails as `replaceFile` would with that many bytes. Leaves nothing behind. */
export function rehearseWrite(path: string, sizeBytes: number): void {
  unlinkSync(writeBeside(path, new Uint8Array(sizeBytes)));
}

/** True if there was a file to remove. */
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
 * `text` is one or more whole lines with their line ends, written in one call. The caller must hold the file's lock:
 * a line cut off by a full disk is truncated away, and that must not remove another writer's line.
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

/** Ends an incomplete line of a dead writer with a mark that makes it invalid. */
export function closeTornLine(path: string): void {
  withFile(path, constants.O_RDWR | constants.O_APPEND, (fd) => {
    if (endsInsideLine(fd)) appendWhole(fd, `${tornMark}\n`);
  });
}

/** Null if the file does not exist. */
export function readBytes(path: string, maxBytes: number): Buffer | null {
  return withFile(path, constants.O_RDONLY, (fd) => {
    const { size } = fstatSync(fd);
    if (size > maxBytes) throw new FileTooLarge(`it has ${size} bytes, more than ${maxBytes}`);
    return readAll(fd, size);
  });
}

/** At most this many bytes; null if the file does not exist. */
export function readBeginning(path: string, atMostBytes: number): Buffer | null {
  return withFile(path, constants.O_RDONLY, (fd) => readAll(fd, Math.min(fstatSync(fd).size, atMostBytes)));
}

/** Null if the path does not exist. */
export function withFile<T>(path: string, flags: number, work: (fd: number) => T): T | null {
  const fd = openRegular(path, flags);
  if (fd === null) return null;
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}

/** 0 if the path does not exist. Does not follow a link. */
export function fileSize(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** To read it. Null for a missing or unreadable file, and for what is no file of its own. */
export function openReadable(path: string): number | null {
  try {
    return openRegular(path, constants.O_RDONLY);
  } catch {
    return null;
  }
}

/** Null if the path does not exist. Opens without blocking, because a pipe would wait for its other end. */
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

/** For a folder below the one that the user named; the user's own may be a link. */
export function refuseLinkedFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new FileRefused("it is a symbolic link");
  }
}

export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** False if it has content, or does not exist. */
export function removeEmptyFolder(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    if (["ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(errorCode(error) ?? "")) return false;
    throw error;
  }
}

/**
 * Removes temporary files of killed writers beside a file, or beside any file of a folder. Only for the holder of
 * the lock: then no other writer is active.
 */
export function sweepTemporary(folder: string, name?: string): void {
  for (const found of readdirSync(folder)) {
    const match = /^\.(.+)\.\d+-[0-9a-f]{12}\.tmp$/.exec(found);
    if (match !== null && (name === undefined || match[1] === name)) unlinkSync(join(folder, found));
  }
}

/** CAN, "cancel": a control character, so no field with it is valid. */
const tornMark = "\u0018";

function moveOver(path: string, temporary: string): void {
  try {
    renameSync(temporary, path);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
}

function writeBeside(
  path: string,
  contents: Uint8Array | string | readonly Uint8Array[],
  mode?: number,
  durability: "synced" | "unsynced" = "synced",
): string {
  makeFolder(dirname(path));
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}-${randomHex(6)}.tmp`);
  const fd = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    if (typeof contents === "string") writeAll(fd, Buffer.from(contents));
    else for (const part of contents instanceof Uint8Array ? [contents] : contents) writeAll(fd, part);
    if (mode !== undefined) fchmodSync(fd, mode);
    if (durability === "synced") fsyncSync(fd);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  } finally {
    closeSync(fd);
  }
  return temporary;
}

function writeAll(fd: number, bytes: Uint8Array): void {
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

/** A new name is on disk only once its folder is synced. */
export function syncFolder(path: string): void {
  const fd = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
