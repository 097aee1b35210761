// The client's settings file on disk: our hooks go in and come out, the rest is the user's.
//
// [HF1] A file is changed in one step, keeps its mode, and lies beside its backup as long as our hooks are in it.
// [HF2] A file that cannot be understood is refused and left as it is.
// [HF3] A link is followed: people keep this file in a repository and link to it, and their link stays one. The
//       backup lies beside the link, not in their repository.
// [HF4] Killed at any moment, the next install or remove leaves no copy beside the file, no lock, and no backup that says
//       the same as the file. One that says something else may be the only copy: it stays, under another name where an
//       install finds it without its file.
// [HF5] Who changes it at the same time takes turns.

import { lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  FileRefused,
  readBytes,
  removeFile,
  replaceFile,
  sweepTemporary,
} from "../../../base/atomic-file.js";
import { errorCode, exitCodes, HiveError } from "../../../base/errors.js";
import { withLock } from "../../../base/lock.js";
import { namesIn } from "../../../base/names-in.js";
import { utcCompact } from "../../../base/utc.js";
import { limits } from "../../../limits.js";
import { claudeHome } from "../home.js";
import { JsonTextError } from "./json-text.js";
import { hasHooks, SettingsShapeError, withHooks, withoutHooks } from "./settings-text.js";

/** The user's own settings. */
export function userSettings(env: NodeJS.ProcessEnv): string {
  const folder = claudeHome(env);
  if (folder !== null) return join(folder, "settings.json");
  throw new HiveError("HOME is not set, so there is no telling where the client's settings are", {
    hint: "set HOME, or CLAUDE_CONFIG_DIR to the folder that holds them",
  });
}

export function projectSettings(folder: string): string {
  return join(folder, ".claude", "settings.json");
}

export function backupOf(path: string): string {
  return `${path}.hivemind-backup`;
}

/** Where a file lies as it was before an install, though our hooks are in it no more; null where none does. */
export function backupLeft(path: string): string | null {
  return readBackup(path) === null ? null : backupOf(path);
}

export interface Installed {
  changed: boolean;
  /** Where an earlier backup lies now, whose file is gone. */
  aside: string | null;
  /** Where the file lies as it was, when this install put it there. */
  backup: string | null;
}

export async function installHooks(path: string, hookFolder: string): Promise<Installed> {
  const unchanged = { changed: false, aside: null, backup: null };
  // Also where nothing can be written.
  if (await orRefuse(path, () => hooksState(path, hookFolder).state === "installed")) return unchanged;
  return changing(path, () => {
    const { text, target, mode } = readSettings(path);
    const aside = text === null ? putBackupAside(path) : null;
    const wanted = withHooks(text, hookFolder, text === null ? null : readBackup(path));
    if (wanted === text) return unchanged;
    const isFirst = text !== null && !hasHooks(text);
    if (isFirst) replaceFile(backupOf(path), text);
    replaceFile(target, wanted, mode);
    return { changed: true, aside, backup: isFirst ? backupOf(path) : null };
  });
}

function putBackupAside(path: string): string | null {
  const text = readBackup(path);
  if (text === null) return null;
  const aside = `${backupOf(path)}-${utcCompact(Date.now())}`;
  replaceFile(aside, text);
  removeFile(backupOf(path));
  return aside;
}

/** False when there was nothing of ours in it. */
export async function removeHooks(path: string): Promise<boolean> {
  // Where there is nothing to take away, nothing is made either.
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

/** Alone, and without what others left who were killed at it. */
function changing<T>(path: string, change: () => T): Promise<T> {
  return orRefuse(path, () => {
    const { target } = readSettings(path);
    // A name of our own: the client may have its locks there too.
    return withLock(`${path}.hivemind-lock`, () => {
      sweepTemporary(dirname(path), basename(backupOf(path)));
      sweepTemporary(dirname(target), basename(target));
      return change();
    });
  });
}

/** Our hooks are in it, or something of ours lies beside it. */
function isTouched(path: string): boolean {
  const { text, target } = readSettings(path);
  if (text !== null && hasHooks(text)) return true;
  const isBeside = (file: string, prefix: string) =>
    namesIn(dirname(file)).some((name) => name.startsWith(prefix));
  const own = `${basename(path)}.hivemind-`;
  return isBeside(path, own) || isBeside(path, `.${own}`) || isBeside(target, `.${basename(target)}.`);
}

interface SettingsFile {
  /** Where the bytes are: behind the link, where it is one. */
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

/** Null when there is nothing at that path. */
function targetOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
    throw new FileRefused("it is a link that leads nowhere");
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
    const hint = "nothing was changed; mend it, then try again";
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
