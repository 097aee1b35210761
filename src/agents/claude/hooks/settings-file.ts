// The client's settings file on disk: our hooks go in and come out, the rest is the user's.
//
// [HF1] A file is changed in one step, keeps its mode, and lies beside its backup as long as our hooks are in it.
// [HF2] A file that cannot be understood is refused and left as it is.
// [HF3] A link is followed: people keep this file in a repository and link to it, and their link stays one. The
//       backup lies beside the link, not in their repository.

import { lstatSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { FileRefused, readBytes, removeFile, replaceFile } from "../../../base/atomic-file.js";
import { errorCode, exitCodes, HiveError } from "../../../base/errors.js";
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

export interface Installed {
  changed: boolean;
  /** Where the file lies as it was, when this install put it there. */
  backup: string | null;
}

export function installHooks(path: string, hookFolder: string): Installed {
  return orRefuse(path, () => {
    const { text, target, mode } = readSettings(path);
    const before = readBackup(path);
    const wanted = withHooks(text, hookFolder, before);
    if (wanted === text) return { changed: false, backup: null };
    const isFirst = text !== null && !hasHooks(text);
    if (isFirst) replaceFile(backupOf(path), text);
    replaceFile(target, wanted, mode);
    return { changed: true, backup: isFirst ? backupOf(path) : null };
  });
}

/** False when there was nothing of ours in it. */
export function removeHooks(path: string): boolean {
  return orRefuse(path, () => {
    const { text, target, mode } = readSettings(path);
    if (text === null || !hasHooks(text)) return false;
    const rest = withoutHooks(text, readBackup(path));
    if (rest === null) removeFile(target);
    else replaceFile(target, rest, mode);
    removeFile(backupOf(path));
    return true;
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

function orRefuse<T>(path: string, work: () => T): T {
  try {
    return work();
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
