// Sessions that were removed: they lie in the trash until somebody puts them back. Nothing in it is ever deleted by us.
//
// [TRS1] A session in the trash is its own files, moved, and where each belongs; taken out, they are as they were.

import { join } from "node:path";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import type { Report } from "./error.js";
import {
  type Aside,
  closeAside,
  listAside,
  newAside,
  type Owner,
  returning,
  whileAside,
} from "./put-aside.js";
import { isThere, moveNew } from "./whole-files.js";

export interface Trash {
  readonly folder: string;
  /** Newest first. */
  list(): Aside[];
  /** Holds the trash while `work` moves files into it, one after the other; each goes where `take` says. */
  put<T>(owner: Owner, work: (take: (path: string) => string) => Promise<T>): Promise<T>;
  /** The paths that are there again. */
  restore(aside: Aside): Promise<string[]>;
}

export function openTrash(folder: string, report?: Report): Trash {
  return {
    folder,
    list: () => listAside(folder, report),

    put: (owner, work) =>
      whileAside(folder, async () => {
        const aside = newAside(folder, owner);
        const take = (path: string) => {
          if (!isThere(path)) throw gone(path);
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

    restore: (aside) =>
      whileAside(folder, async () => {
        const files = returning(aside);
        for (const { name, from } of files) moveNew(join(aside.path, name), from);
        closeAside(aside);
        return files.map(({ from }) => from);
      }),
  };
}

/** Somebody else was faster. */
function gone(path: string): HiveError {
  return new HiveError(`${harmless(path)} is gone already`, { hint: "hivemind sessions trash --all" });
}
