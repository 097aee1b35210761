// Several files of one folder that change as one: the new contents are written down first, in one file that is
// there or not, then put in place. Whoever takes the folder's lock finishes what a killed writer began.
//
// [QJ1] Killed at any moment, a commit has happened for all of its files or for none.
// [QJ2] A reader that meets an unfinished commit sees what it says, not what the files still say.
// [QJ3] What is no commit in any part is refused whole, by its own name, and stays.

import { dirname, join } from "node:path";
import { makeFolder, readBytes, removeFile, replaceFile } from "../base/atomic-file.js";
import { limits } from "../limits.js";
import { readStore } from "./bounded.js";
import { guard, StoreError } from "./error.js";

/** New contents by file name below the folder; null removes the file. */
export type Changes = ReadonlyMap<string, Buffer | null>;

export interface Journal {
  read(name: string): Buffer | null;
  /** Only under the folder's lock, as the next two. */
  commit(changes: Changes): void;
  /** Puts in place what a killed writer had committed. */
  finish(): void;
  /** Names that an unfinished commit adds to the folder, or takes from it. */
  pending(): Changes;
}

export function journalOf(folder: string): Journal {
  const path = join(folder, ".commit");

  function pending(): Changes {
    const bytes = guard(path, () => readBytes(path, limits.journalBytes));
    return bytes === null ? new Map() : parseChanges(path, bytes);
  }

  function apply(changes: Changes): void {
    for (const [name, bytes] of changes) {
      if (bytes === null) removeFile(join(folder, name));
      else replaceFile(join(folder, name), bytes);
    }
  }

  return {
    pending,
    read(name) {
      const committed = pending().get(name);
      return committed === undefined ? readStore(join(folder, name), limits.queueBytes) : committed;
    },
    commit(changes) {
      if (changes.size === 1) return apply(changes);
      if (changes.size === 0) return;
      for (const name of changes.keys()) makeFolder(dirname(join(folder, name)));
      replaceFile(path, formatChanges(changes));
      apply(changes);
      removeFile(path);
    },
    finish() {
      const changes = pending();
      if (changes.size === 0) return;
      apply(changes);
      removeFile(path);
    },
  };
}

function formatChanges(changes: Changes): string {
  const entries = [...changes].map(([name, bytes]) => [
    name,
    bytes === null ? null : bytes.toString("base64"),
  ]);
  return JSON.stringify(entries);
}

function isQueueName(name: unknown): boolean {
  return typeof name === "string" && /^(dead\/)?[A-Za-z0-9_][A-Za-z0-9_-]*\.queue$/.test(name);
}

/** The names are checked, because they become paths: one plain name, or one in `dead/`. */
function parseChanges(path: string, bytes: Buffer): Changes {
  try {
    const entries = JSON.parse(bytes.toString("utf8")) as [string, string | null][];
    if (!entries.every(([name, text]) => isQueueName(name) && (text === null || typeof text === "string")))
      throw new Error("a name that is no queue's, or a content that is no text");
    return new Map(entries.map(([name, text]) => [name, text === null ? null : Buffer.from(text, "base64")]));
  } catch (error) {
    throw new StoreError("corrupt", path, "an unfinished change that cannot be read", { cause: error });
  }
}
