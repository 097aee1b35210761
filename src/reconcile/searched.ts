// Finds places that may hold conversations but are unreadable now, such as an unmounted disk.
//
// - Every account that was seen in use, and every other searched folder that exists, must have a readable `projects`
//   folder without broken links.
// - An account without any conversation has no `projects`, but other files of the client. An empty account counts as
//   unmounted.
// - Another folder that is missing was never used, unless no account is known: then it may have held everything.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../base/errors.js";
import { mayBeThere } from "../stores/file/whole-files.js";

/** `known` are the accounts, `folders` all searched folders. Empty if nothing can be hidden. */
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
