// Where the team file is: the nearest above a folder, or the one that is named.
//
// [TFF1] Folder by folder upward, as far as the home folder or the root; in each the file of hivemind before teamctl's.
// [TFF2] Two spellings side by side are refused: nobody could tell which one is meant.
// [TFF3] What is named is that and nothing else: a folder stands for the file in it, and nothing is looked for above it.
// [TFF4] A file is found again by its folder, or by its path where its name is one that nobody would look for.

import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { HiveError } from "../base/errors.js";
import { shellWord } from "../base/shell-word.js";

/** From the folder that has it, the first that is there. */
export const teamFileNames = ["hivemind.yaml", "hivemind.yml", ".team/team-compose.yaml"] as const;

export interface Sought {
  /** The folder somebody is in. */
  from: string;
  /** Null where nobody knows it. */
  home: string | null;
  /** A file or folder that was named. */
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

/** Whether it is teamctl's, which is read otherwise. */
export function isTeamctl(path: string): boolean {
  return basename(path) === "team-compose.yaml";
}

/** Of a file in this folder: what `findTeamFile` is given to find that one. `folder` is its folder's real path. */
export function placeToFind({ path, folder }: { path: string; folder: string }): string {
  const name = basename(path);
  return (teamFileNames as readonly string[]).includes(name) ? folder : join(folder, name);
}

function named(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined)
    throw new HiveError(`there is no file ${path}`, { hint: "write one: hivemind init" });
  if (!stat.isDirectory()) return path;
  // The folder of teamctl itself may be named too.
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
      hint: "remove one, or name the one you mean: --file PATH",
    });
  }
  return found;
}
