// The files and folders of the stores: private, writable, and on a file system that supports our locks.

import { accessSync, constants, lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../base/errors.js";
import { lacksLinks } from "../base/system/file-system.js";
import { shellWord } from "../base/text/shell-word.js";
import type { StorePaths } from "../stores/file/folder.js";
import { type Check, type Found, info, problem, warning } from "./check.js";

export const storeFolder: Check = {
  id: "config folder",
  title: "the config folder is writable",
  look(world) {
    const { folder } = world.paths();
    const why = whyUnwritable(folder);
    if (why !== null) return [problem(`the stores are not writable: ${why}`, `ls -ld ${shellWord(folder)}`)];
    const found = existing(folder);
    if (found === null)
      return [info(`${folder} does not exist yet: the first command that writes creates it`, null)];
    return lacksLinks(found)
      ? [problem(`${folder} is on a file system without symbolic links, which locks need`, elsewhere)]
      : [];
  },
};

const elsewhere = "set HIVEMIND_CONFIG_DIR to a folder on another disk";

export const privacy: Check = {
  id: "privacy",
  title: "no other user can read the stores",
  look(world) {
    const { folders, files } = placesOf(world.paths());
    return [...open(folders, "folder", "700"), ...open(files, "file", "600")];
  },
};

/** What other users can reach: one finding for all, with one command that fixes it. */
function open(paths: readonly string[], noun: string, mode: string): Found[] {
  const reachable = paths.filter((path) => (modeOf(path) & 0o077) !== 0);
  if (reachable.length === 0) return [];
  const named = reachable.map((path) => `${path} (${(modeOf(path) & 0o777).toString(8)})`).join(", ");
  const message = `${reachable.length === 1 ? `a ${noun}` : `${reachable.length} ${noun}s`} open to other users: ${named}`;
  return [warning(message, `chmod ${mode} ${reachable.map(shellWord).join(" ")}`)];
}

/** The stores' own list of paths, split by type. A folder in the place of a file is for another check. */
function placesOf(paths: StorePaths): { folders: string[]; files: string[] } {
  const all = [...new Set(Object.values(paths) as string[])];
  const kinds = all.map((path) => ({ path, stat: lstatSync(path, { throwIfNoEntry: false }) }));
  return {
    folders: kinds
      .filter(({ path, stat }) => stat?.isDirectory() || path === paths.folder)
      .map(({ path }) => path),
    files: kinds.filter(({ stat }) => stat?.isFile()).map(({ path }) => path),
  };
}

/** The mode of a link's target: the config folder may be a link. */
function modeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
}

function existing(folder: string): string | null {
  try {
    return statSync(folder).isDirectory() ? folder : null;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** The folders of all store files, each once. */
export function storeFolders(paths: StorePaths): string[] {
  const { folders, files } = placesOf(paths);
  return [...new Set([...folders, ...files.map(dirname)])];
}

/**
 * Why nothing can be written there, checked without writing; null if it can. A missing folder would be made in its
 * nearest existing parent.
 */
export function whyUnwritable(folder: string): string | null {
  try {
    if (!statSync(folder).isDirectory()) return `${folder} is not a folder`;
    accessSync(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const code = errorCode(error);
    const isLink = code === "ENOENT" && lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
    if (isLink) return `${folder} is a broken link`;
    if (code === "ENOENT" && dirname(folder) !== folder) return whyUnwritable(dirname(folder));
    if (code === undefined) throw error;
    return `${folder} is not writable (${code})`;
  }
}
