// A configuration file of another program. We add one part to it and remove it again; the rest belongs to the user.
//
// - The file is replaced in one step and keeps its mode. A backup stays beside it as long as our part is in it.
// - A file that the addition cannot parse (`FileRefused`) is refused and left unchanged.
// - A link is followed and stays a link: people keep this file in a repository. The backup is beside the link, not
//   in the repository.
// - After a kill at any moment the next install or remove clears the temporary copy, the lock, and a backup that
//   equals the file. A backup that differs may be the only copy: it stays, and an install that finds it without its
//   file renames it.
// - Processes that change the file take turns.

import { lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { limits } from "../../limits.js";
import { errorCode, exitCodes, HiveError } from "../errors.js";
import { utcCompact } from "../text/utc.js";
import { FileRefused, readBytes, removeFile, replaceFile, sweepTemporary } from "./atomic-file.js";
import { withLock } from "./lock.js";
import { namesIn } from "./names-in.js";

/** What we add to a file. `before` is the text without it, if known. */
export interface Addition {
  isIn(text: string): boolean;
  added(text: string | null, before: string | null): string;
  /** Null if nothing is left of a file that did not exist before. */
  removed(text: string, before: string | null): string | null;
}

export function backupOf(path: string): string {
  return `${path}.hivemind-backup`;
}

/** The path of a backup although our part is no longer in the file; null if there is none. */
export function backupLeft(path: string): string | null {
  return readBackup(path) === null ? null : backupOf(path);
}

export interface Added {
  changed: boolean;
  /** The new path of an earlier backup whose file is gone. */
  aside: string | null;
  /** The path of the backup that was made. */
  backup: string | null;
}

export async function addTo(path: string, addition: Addition): Promise<Added> {
  const unchanged = { changed: false, aside: null, backup: null };
  // Must also work where nothing can be written.
  if (await orRefuse(path, () => additionState(path, addition).state === "installed")) return unchanged;
  return changing(path, () => {
    const { text, target, mode } = readConfig(path);
    const aside = text === null ? renameBackup(path) : null;
    const wanted = addition.added(text, text === null ? null : readBackup(path));
    if (wanted === text) return unchanged;
    const isFirst = text !== null && !addition.isIn(text);
    if (isFirst) replaceFile(backupOf(path), text);
    replaceFile(target, wanted, mode);
    return { changed: true, aside, backup: isFirst ? backupOf(path) : null };
  });
}

function renameBackup(path: string): string | null {
  const text = readBackup(path);
  if (text === null) return null;
  const renamed = `${backupOf(path)}-${utcCompact(Date.now())}`;
  replaceFile(renamed, text);
  removeFile(backupOf(path));
  return renamed;
}

/** False if the file had nothing of ours. */
export async function removeFrom(path: string, addition: Addition): Promise<boolean> {
  // If there is nothing to remove, make no lock or other file either.
  if (!(await orRefuse(path, () => isTouched(path, addition)))) return false;
  return changing(path, () => {
    const { text, target, mode } = readConfig(path);
    const isOurs = text !== null && addition.isIn(text);
    const rest = isOurs ? addition.removed(text, readBackup(path)) : text;
    if (isOurs && rest === null) removeFile(target);
    if (isOurs && rest !== null) replaceFile(target, rest, mode);
    if (isOurs || (text !== null && text === readBackup(path))) removeFile(backupOf(path));
    return isOurs;
  });
}

export type AdditionState = "installed" | "outdated" | "absent" | "broken";

/** `outdated`: from another version or another place of hivemind. */
export function additionState(
  path: string,
  addition: Addition,
): { state: AdditionState; why: string | null } {
  try {
    const { text } = readConfig(path);
    if (text === null || !addition.isIn(text)) return { state: "absent", why: null };
    return { state: addition.added(text, null) === text ? "installed" : "outdated", why: null };
  } catch (error) {
    if (error instanceof FileRefused) return { state: "broken", why: error.message };
    throw error;
  }
}

/** Takes the lock, and clears what killed processes left. */
function changing<T>(path: string, change: () => T): Promise<T> {
  return orRefuse(path, () => {
    const { target } = readConfig(path);
    // Our own name: the other program may have its own locks there.
    return withLock(`${path}.hivemind-lock`, () => {
      sweepTemporary(dirname(path), basename(backupOf(path)));
      sweepTemporary(dirname(target), basename(target));
      return change();
    });
  });
}

/** Whether our part is in the file, or something of ours is beside it. */
function isTouched(path: string, addition: Addition): boolean {
  const { text, target } = readConfig(path);
  if (text !== null && addition.isIn(text)) return true;
  const isBeside = (file: string, prefix: string) =>
    namesIn(dirname(file)).some((name) => name.startsWith(prefix));
  const own = `${basename(path)}.hivemind-`;
  return isBeside(path, own) || isBeside(path, `.${own}`) || isBeside(target, `.${basename(target)}.`);
}

interface ConfigFile {
  /** The file with the contents: the target if the path is a link. */
  target: string;
  mode: number;
  text: string | null;
}

function readConfig(path: string): ConfigFile {
  try {
    const target = targetOf(path);
    const bytes = target === null ? null : readBytes(target, limits.settingsBytes);
    if (target === null || bytes === null) return { target: path, mode: 0o600, text: null };
    const text = bytes.toString("utf8");
    if (!Buffer.from(text).equals(bytes)) throw new FileRefused("it is not UTF-8");
    return { target, mode: statSync(target).mode & 0o777, text };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const facts = { hint: "nothing was changed", exitCode: exitCodes.couldNotLook, cause: error };
    throw new HiveError(`${path} cannot be read: ${code}`, facts);
  }
}

/** Null if nothing is at that path. */
function targetOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
    throw new FileRefused("it is a link to a missing file");
  }
}

function readBackup(path: string): string | null {
  try {
    return readBytes(backupOf(path), limits.settingsBytes)?.toString("utf8") ?? null;
  } catch (error) {
    if (error instanceof FileRefused) return null;
    throw error;
  }
}

async function orRefuse<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const hint = "nothing was changed; fix the file, then try again";
    if (error instanceof FileRefused) throw new HiveError(`refused ${path}: ${error.message}`, { hint });
    const code = errorCode(error);
    if (code === undefined || error instanceof HiveError) throw error;
    throw new HiveError(`${path} cannot be changed: ${code}`, { hint, cause: error });
  }
}
