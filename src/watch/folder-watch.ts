// Watches a few folders, and names each file in them that changes.
//
// - A folder that is missing, replaced or not watchable is tried again whenever it is followed.
// - Locks, half-written files and what only the watcher itself writes are no change.

import { type FSWatcher, statSync, watch as watchFolder } from "node:fs";
import { errorCode } from "../base/errors.js";

export interface FolderWatch {
  /** Watches these folders from now on, and no others. */
  follow(folders: readonly string[]): void;
  close(): void;
}

/** `name` is null if the system does not say which file changed. `onTrouble` gets the reason once per folder. */
export function openFolderWatch(
  onChange: (folder: string, name: string | null) => void,
  onTrouble: (why: string) => void,
): FolderWatch {
  const watched = new Map<string, { watcher: FSWatcher; inode: number }>();
  const troubled = new Set<string>();

  function drop(folder: string): void {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  }

  function trouble(folder: string, error: unknown): void {
    drop(folder);
    if (errorCode(error) === "ENOENT" || troubled.has(folder)) return;
    troubled.add(folder);
    onTrouble(
      `changes in ${folder} are noticed only every few seconds: ${errorCode(error) ?? String(error)}`,
    );
  }

  function add(folder: string): void {
    const inode = inodeOf(folder);
    if (watched.has(folder) && watched.get(folder)!.inode !== inode) drop(folder);
    if (inode === null || watched.has(folder)) return;
    try {
      const watcher = watchFolder(folder, (_, name) => {
        if (name === null || !isPassing(name)) onChange(folder, name);
      });
      watcher.on("error", (error) => trouble(folder, error));
      watched.set(folder, { watcher, inode });
    } catch (error) {
      trouble(folder, error);
    }
  }

  return {
    follow(folders) {
      for (const folder of watched.keys()) if (!folders.includes(folder)) drop(folder);
      for (const folder of folders) add(folder);
    },
    close() {
      for (const folder of [...watched.keys()]) drop(folder);
    },
  };
}

/** Hidden files are half-written; a store's lock comes and goes with every write; the others are the watcher's own. */
function isPassing(name: string): boolean {
  return name.startsWith(".") || /\.lock(?:\.~.*)?$/.test(name) || own.test(name);
}

const own = /\.(?:watch\.log(?:\.old)?|lease|published)$/;

function inodeOf(folder: string): number | null {
  try {
    const seen = statSync(folder, { throwIfNoEntry: false });
    return seen?.isDirectory() ? seen.ino : null;
  } catch {
    return null;
  }
}
