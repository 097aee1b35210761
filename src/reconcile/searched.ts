// Where conversations may lie that nobody can look into now.
//
// [AWY1] Every account that was seen in use, and every other folder that is searched if it is there at all, must have a
//       `projects` that can be listed, with no link in it that leads nowhere. Where nobody has said a word yet there is
//       none, beside what else a client writes; an account with nothing in it is a disk that is away. Another folder that
//       is not there was never used; only where no account is known, it may be where they all were.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../base/errors.js";
import { mayBeThere } from "../stores/whole-files.js";

/** `known` are the accounts; `folders` all that are searched. Empty when nothing can hide. */
export function unsearched(folders: readonly string[], known: readonly string[]): string[] {
  const used = folders.filter((folder) => known.includes(folder) || mayBeThere(folder));
  return (known.length > 0 ? used : folders).flatMap(hiddenIn);
}

function hiddenIn(folder: string): string[] {
  const projects = join(folder, "projects");
  try {
    if (!mayBeThere(projects) && readdirSync(folder).length > 0) return [];
    return readdirSync(projects, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink() && !existsSync(join(projects, entry.name)))
      .map(({ name }) => join(projects, name));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [projects];
  }
}
