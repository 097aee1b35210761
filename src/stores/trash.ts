// Removed sessions. They stay in the trash until the user restores them; hivemind never deletes them.
//
// The trash has the moved files and where each belongs. Restoring moves them back unchanged.

import { join } from "node:path";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import type { Report } from "./file/error.js";
import {
  type ArchivedSession,
  filesToRestore,
  listArchive,
  newArchive,
  type Owner,
  removeArchive,
  whileArchiveLocked,
} from "./file/session-archive.js";
import { isThere, moveNew } from "./file/whole-files.js";

export type Trash = ReturnType<typeof openTrash>;

export function openTrash(folder: string, report?: Report) {
  return {
    folder,
    /** Newest first. */
    list: () => listArchive(folder, report),

    /** Locks the trash while `work` moves files into it one by one. `take` moves a file and returns its new path. */
    put: <T>(owner: Owner, work: (take: (path: string) => string) => Promise<T>) =>
      whileArchiveLocked(folder, async () => {
        const aside = newArchive(folder, owner);
        const take = (path: string) => {
          // Another command was faster.
          if (!isThere(path))
            throw new HiveError(`${harmless(path)} is already gone`, {
              hint: "hivemind sessions trash --all",
            });
          const to = aside.placeFor(path);
          moveNew(path, to);
          return to;
        };
        try {
          return await work(take);
        } catch (error) {
          aside.giveUp();
          throw error;
        }
      }),

    /** Returns the restored paths. */
    restore: (aside: ArchivedSession) =>
      whileArchiveLocked(folder, async () => {
        const files = filesToRestore(aside);
        for (const { name, from } of files) moveNew(join(aside.path, name), from);
        removeArchive(aside);
        return files.map(({ from }) => from);
      }),
  };
}
