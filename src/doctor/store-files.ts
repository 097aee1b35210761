// The files and folders of the stores: ours alone, writable, and on a file system that can hold our locks.

import { lstatSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../base/errors.js";
import { shellWord } from "../base/shell-word.js";
import type { StorePaths } from "../stores/folder.js";
import { type Check, type Found, info, problem, warning } from "./check.js";
import { whyUnwritable } from "./writable.js";

export const storeFolder: Check = {
  id: "config folder",
  title: "the config folder can be written",
  look(world) {
    const { folder } = world.paths();
    const why = whyUnwritable(folder);
    if (why !== null) return [problem(`the stores cannot be written: ${why}`, `ls -ld ${shellWord(folder)}`)];
    const found = existing(folder);
    if (found === null)
      return [info(`${folder} is not there yet: the first command that writes makes it`, null)];
    return lacksLinks(statfsSync(found).type)
      ? [problem(`${folder} is on a file system without symbolic links, which locks are made of`, elsewhere)]
      : [];
  },
};

const elsewhere = "set HIVEMIND_CONFIG_DIR to a folder on another disk";

/** FAT and exFAT, by the numbers that Linux gives them. */
export function lacksLinks(fileSystem: number): boolean {
  return process.platform === "linux" && [0x4d44, 0x2011bab0].includes(fileSystem);
}

export const privacy: Check = {
  id: "privacy",
  title: "nobody else can read the stores",
  look(world) {
    const { folders, files } = placesOf(world.paths());
    return [...open(folders, "folder", "700"), ...open(files, "file", "600")];
  },
};

/** What others may reach: one finding for all, with one command that ends it. */
function open(paths: readonly string[], noun: string, mode: string): Found[] {
  const reachable = paths.filter((path) => (modeOf(path) & 0o077) !== 0);
  if (reachable.length === 0) return [];
  const named = reachable.map((path) => `${path} (${(modeOf(path) & 0o777).toString(8)})`).join(", ");
  const message = `${reachable.length === 1 ? `a ${noun}` : `${reachable.length} ${noun}s`} that others can reach: ${named}`;
  return [warning(message, `chmod ${mode} ${reachable.map(shellWord).join(" ")}`)];
}

/** What the stores' own list has, told apart by what lies there: a folder in a file's place is another check's. */
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

/** Of what a link leads to: the config folder may be one. */
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

/** Where a store's file lies, each once. */
export function storeFolders(paths: StorePaths): string[] {
  const { folders, files } = placesOf(paths);
  return [...new Set([...folders, ...files.map(dirname)])];
}
