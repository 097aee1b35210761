// Copies of sessions that survive the client, which deletes transcripts by age.
//
// - A copy exists fully or not at all. Keeping a session again leaves one copy, the newer one.
// - An older copy is removed only if the newer one begins with all its bytes. So a session that was restarted under
//   the same id, or rewritten, has two.
// - Copying back puts the files where the client finds them, with a fresh time so that it keeps them. The copy
//   stays.

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { HiveError } from "../base/errors.js";
import { numbered } from "../base/text/numbered.js";
import type { Report } from "./file/error.js";
import {
  type ArchivedSession,
  filesToRestore,
  listArchive,
  newArchive,
  type Owner,
  whileArchiveLocked,
} from "./file/session-archive.js";
import { copyNew, filesBelow, isThere, moveNew } from "./file/whole-files.js";

export function openSessionCopies(folder: string, report?: Report) {
  return {
    folder,
    /** Newest first. */
    list: () => listArchive(folder, report),

    /** Copies each path with everything below it. `replaced` are the copies that this one continues. */
    keep: (owner: Owner, paths: readonly string[]) =>
      whileArchiveLocked(folder, () => {
        // Under the lock, a folder here was left by a killed run.
        const unfinished = join(folder, ".unfinished");
        rmSync(unfinished, { recursive: true, force: true });
        const { placeFor } = newArchive(unfinished, owner);
        for (const path of paths) copyNew(path, placeFor(path), { keepsTimes: true });
        const [copy] = listArchive(unfinished);
        if (copy === undefined) throw new HiveError(`session ${owner.id} has no files to keep`);
        const isOlder = ({ id, workspace }: Owner) => id === owner.id && workspace === owner.workspace;
        const replaced = listArchive(folder).filter((each) => isOlder(each) && isContinued(each, copy));
        const path = numbered(join(folder, copy.name), "", (free) => (isThere(free) ? null : free));
        moveNew(copy.path, path);
        for (const each of [...replaced, { path: unfinished }]) rmSync(each.path, { recursive: true });
        return { path, replaced };
      }),

    /** Returns the restored paths. */
    copyBack: (aside: ArchivedSession) =>
      whileArchiveLocked(folder, () => {
        const files = filesToRestore(aside);
        for (const { name, from } of files) copyNew(join(aside.path, name), from, { keepsTimes: false });
        return files.map(({ from }) => from);
      }),
  };
}

/** Whether every file of the older copy is the beginning of the same file in the newer one. */
function isContinued(older: ArchivedSession, newer: ArchivedSession): boolean {
  const paths = older.files.flatMap(({ name }) =>
    filesBelow(join(older.path, name)).map((below) => join(name, below)),
  );
  return paths.every((path) => {
    if (!isThere(join(newer.path, path))) return false;
    const [before, after] = [readFileSync(join(older.path, path)), readFileSync(join(newer.path, path))];
    return after.subarray(0, before.length).equals(before);
  });
}
