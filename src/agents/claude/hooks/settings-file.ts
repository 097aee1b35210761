// The client's settings file on disk. We add and remove our hooks; the rest belongs to the user.
//
// - The file is replaced in one step and keeps its mode. A backup stays beside it as long as our hooks are in it.
// - A file that we cannot parse is refused and left unchanged.
// - A link is followed and stays a link: people keep this file in a repository. The backup is beside the link, not
//   in the repository.
// - After a kill at any moment the next install or remove clears the temporary copy, the lock, and a backup that
//   equals the file. A backup that differs may be the only copy: it stays, and an install that finds it without its
//   file renames it.
// - Processes that change the file take turns.

import { lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode, exitCodes, HiveError } from "../../../base/errors.js";
import {
  FileRefused,
  readBytes,
  removeFile,
  replaceFile,
  sweepTemporary,
} from "../../../base/files/atomic-file.js";
import { withLock } from "../../../base/files/lock.js";
import { namesIn } from "../../../base/files/names-in.js";
import { utcCompact } from "../../../base/text/utc.js";
import { limits } from "../../../limits.js";
import { claudeHome } from "../home.js";
import { JsonTextError } from "./json-text.js";
import { hasHooks, SettingsShapeError, withHooks, withoutHooks } from "./settings-text.js";

/** The user's own settings. */
export function userSettings(env: NodeJS.ProcessEnv): string {
  const folder = claudeHome(env);
  if (folder !== null) return join(folder, "settings.json");
  throw new HiveError("HOME is not set, so the client's settings cannot be found", {
    hint: "set HOME, or CLAUDE_CONFIG_DIR to the folder that holds them",
  });
}

export function projectSettings(folder: string): string {
  return join(folder, ".claude", "settings.json");
}

export function backupOf(path: string): string {
  return `${path}.hivemind-backup`;
}

/** The path of a backup although our hooks are no longer in the file; null if there is none. */
export function backupLeft(path: string): string | null {
  return readBackup(path) === null ? null : backupOf(path);
}

export interface Installed {
  changed: boolean;
  /** The new path of an earlier backup whose file is gone. */
  aside: string | null;
  /** The path of the backup that this install made. */
  backup: string | null;
}

export async function installHooks(path: string, hookFolder: string): Promise<Installed> {
  const unchanged = { changed: false, aside: null, backup: null };
  // Must also work where nothing can be written.
  if (await orRefuse(path, () => hooksState(path, hookFolder).state === "installed")) return unchanged;
  return changing(path, () => {
    const { text, target, mode } = readSettings(path);
    const aside = text === null ? renameBackup(path) : null;
    const wanted = withHooks(text, hookFolder, text === null ? null : readBackup(path));
    if (wanted === text) return unchanged;
    const isFirst = text !== null && !hasHooks(text);
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
export async function removeHooks(path: string): Promise<boolean> {
  // If there is nothing to remove, make no lock or other file either.
  if (!(await orRefuse(path, () => isTouched(path)))) return false;
  return changing(path, () => {
    const { text, target, mode } = readSettings(path);
    const isOurs = text !== null && hasHooks(text);
    const rest = isOurs ? withoutHooks(text, readBackup(path)) : text;
    if (isOurs && rest === null) removeFile(target);
    if (isOurs && rest !== null) replaceFile(target, rest, mode);
    if (isOurs || (text !== null && text === readBackup(path))) removeFile(backupOf(path));
    return isOurs;
  });
}

export type HooksState = "installed" | "outdated" | "absent" | "broken";

/** `outdated`: from another version or another folder of hivemind. */
export function hooksState(path: string, hookFolder: string): { state: HooksState; why: string | null } {
  try {
    const { text } = readSettings(path);
    if (text === null || !hasHooks(text)) return { state: "absent", why: null };
    return { state: withHooks(text, hookFolder, null) === text ? "installed" : "outdated", why: null };
  } catch (error) {
    if (isMisshapen(error)) return { state: "broken", why: error.message };
    throw error;
  }
}

/** Takes the lock, and clears what killed processes left. */
function changing<T>(path: string, change: () => T): Promise<T> {
  return orRefuse(path, () => {
    const { target } = readSettings(path);
    // Our own name: the client may have its own locks there.
    return withLock(`${path}.hivemind-lock`, () => {
      sweepTemporary(dirname(path), basename(backupOf(path)));
      sweepTemporary(dirname(target), basename(target));
      return change();
    });
  });
}

/** Whether our hooks are in the file, or something of ours is beside it. */
function isTouched(path: string): boolean {
  const { text, target } = readSettings(path);
  if (text !== null && hasHooks(text)) return true;
  const isBeside = (file: string, prefix: string) =>
    namesIn(dirname(file)).some((name) => name.startsWith(prefix));
  const own = `${basename(path)}.hivemind-`;
  return isBeside(path, own) || isBeside(path, `.${own}`) || isBeside(target, `.${basename(target)}.`);
}

interface SettingsFile {
  /** The file with the contents: the target if the path is a link. */
  target: string;
  mode: number;
  text: string | null;
}

function readSettings(path: string): SettingsFile {
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
    if (isMisshapen(error)) throw new HiveError(`refused ${path}: ${error.message}`, { hint });
    const code = errorCode(error);
    if (code === undefined || error instanceof HiveError) throw error;
    throw new HiveError(`${path} cannot be changed: ${code}`, { hint, cause: error });
  }
}

function isMisshapen(error: unknown): error is Error {
  return (
    error instanceof FileRefused || error instanceof JsonTextError || error instanceof SettingsShapeError
  );
}
