// Finds the team file: the nearest one above a folder, or the one that is given. Places a new one, never over an
// existing file unless asked.
//
// - It looks folder by folder upward to the home folder or the root; in each, hivemind's file comes before
//   teamctl's. Two spellings in one folder are refused: it is unclear which one is meant.
// - A given path is used as it is: a folder stands for the file in it, and nothing above it is searched.
// - A file is found again by its folder, or by its path if it has an unusual name.

import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { errorCode, HiveError } from "../base/errors.js";
import { createFile, replaceFile } from "../base/files/atomic-file.js";
import { shellWord } from "../base/text/shell-word.js";
import { refuseSharedFolder } from "./whose-file.js";

/** Relative to the project's folder; the first that exists counts. */
export const teamFileNames = ["hivemind.yaml", "hivemind.yml", ".team/team-compose.yaml"] as const;

export interface Sought {
  /** The current folder. */
  from: string;
  /** Null if unknown. */
  home: string | null;
  /** A file or folder that is given. */
  file?: string | undefined;
}

/** Its absolute path. */
export function findTeamFile({ from, home, file }: Sought): string {
  if (file !== undefined) return named(resolve(from, file));
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const found = fileIn(folder);
    if (found !== null) return found;
    if (folder === dirname(folder) || folder === home) break;
  }
  throw new HiveError(`there is no team file here: no hivemind.yaml in ${resolve(from)} or above`, {
    hint: "write one: hivemind init",
  });
}

/** Whether it is teamctl's file, which has another format. */
export function isTeamctl(path: string): boolean {
  return basename(path) === "team-compose.yaml";
}

/** What to give to `findTeamFile` to find this file again. `folder` is the real path of its folder. */
export function placeToFind({ path, folder }: { path: string; folder: string }): string {
  const name = basename(path);
  return (teamFileNames as readonly string[]).includes(name) ? folder : join(folder, name);
}

function named(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined)
    throw new HiveError(`there is no file ${path}`, { hint: "write one: hivemind init" });
  if (!stat.isDirectory()) return path;
  // The path may also be teamctl's own folder.
  const inside = join(path, basename(teamFileNames[2]));
  const found = fileIn(path) ?? (existsSync(inside) ? inside : null);
  if (found !== null) return found;
  throw new HiveError(`there is no team file in ${path}`, { hint: `cd ${shellWord(path)} && hivemind init` });
}

function fileIn(folder: string): string | null {
  const [found, second] = teamFileNames.map((name) => join(folder, name)).filter((path) => existsSync(path));
  if (found === undefined) return null;
  if (second !== undefined && !isTeamctl(second)) {
    throw new HiveError(`there are two team files: ${found} and ${second}`, {
      hint: "remove one, or choose one: --file PATH",
    });
  }
  return found;
}

/** The team file of a folder; teamctl's file does not count and stays beside a new one. */
export function standingFile(folder: string): string | null {
  const paths = teamFileNames.filter((name) => !isTeamctl(name)).map((name) => join(folder, name));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** Replaces `standing`, or makes a new file if it is null. Returns the path. */
export function placeFile(folder: string, standing: string | null, text: string): string {
  const path = standing ?? join(folder, teamFileNames[0]);
  // A project's file: readable for others like any other.
  const mode = 0o666 & ~process.umask();
  try {
    const target = standing === null ? path : realpathSync(standing);
    refuseSharedFolder(dirname(target), path);
    if (standing !== null) replaceFile(target, text, mode);
    else if (!createFile(path, text, mode)) throw new HiveError(`${path} exists already`);
    return path;
  } catch (error) {
    if (error instanceof HiveError || errorCode(error) === undefined) throw error;
    throw new HiveError(`${path} could not be written: ${errorCode(error)}`, { cause: error });
  }
}
