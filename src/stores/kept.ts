// Copies of sessions that survive the client, which deletes transcripts by their age.
//
// [KPT1] A copy is there whole or not at all; keeping a session again leaves one copy, the newer.
// [KPT2] An older copy goes only if the newer has every byte of it: a session that was begun anew under its id, or
//        rewritten, has two.
// [KPT3] Copied back it is where the client finds it, and new enough to be kept by it; the copy here stays.

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { HiveError } from "../base/errors.js";
import type { Report } from "./error.js";
import { type Aside, listAside, newAside, type Owner, returning, whileAside } from "./put-aside.js";
import { copyNew, filesBelow, isThere, moveNew } from "./whole-files.js";

export interface Kept {
  readonly folder: string;
  /** Newest first. */
  list(): Aside[];
  /** Each with all that is below it. `replaced` are the copies that this one continues. */
  keep(owner: Owner, paths: readonly string[]): Promise<{ path: string; replaced: Aside[] }>;
  /** The paths that are there again. */
  copyBack(aside: Aside): Promise<string[]>;
}

export function openKept(folder: string, report?: Report): Kept {
  return {
    folder,
    list: () => listAside(folder, report),

    keep: (owner, paths) =>
      whileAside(folder, () => {
        // Under the lock whatever lies here is what a killed run left.
        const unfinished = join(folder, ".unfinished");
        rmSync(unfinished, { recursive: true, force: true });
        const { placeFor } = newAside(unfinished, owner);
        for (const path of paths) copyNew(path, placeFor(path), { keepsTimes: true });
        const [copy] = listAside(unfinished);
        if (copy === undefined) throw new HiveError(`there is nothing of ${owner.id} to keep`);
        const isOlder = ({ id, workspace }: Owner) => id === owner.id && workspace === owner.workspace;
        const replaced = listAside(folder).filter((each) => isOlder(each) && isContinued(each, copy));
        const path = freePath(join(folder, copy.name));
        moveNew(copy.path, path);
        for (const each of [...replaced, { path: unfinished }]) rmSync(each.path, { recursive: true });
        return { path, replaced };
      }),

    copyBack: (aside) =>
      whileAside(folder, () => {
        const files = returning(aside);
        for (const { name, from } of files) copyNew(join(aside.path, name), from, { keepsTimes: false });
        return files.map(({ from }) => from);
      }),
  };
}

/** Two of one second get a number. */
function freePath(wanted: string): string {
  for (let count = 1; ; count++) {
    const path = count === 1 ? wanted : `${wanted}-${count}`;
    if (!isThere(path)) return path;
  }
}

/** Whether every file of the older copy is the beginning of the same file in the newer one. */
function isContinued(older: Aside, newer: Aside): boolean {
  const paths = older.files.flatMap(({ name }) =>
    filesBelow(join(older.path, name)).map((below) => join(name, below)),
  );
  return paths.every((path) => {
    if (!isThere(join(newer.path, path))) return false;
    const [before, after] = [readFileSync(join(older.path, path)), readFileSync(join(newer.path, path))];
    return after.subarray(0, before.length).equals(before);
  });
}
