// The git branch of a folder, read without running git.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Empty outside a repository; `HEAD` if no branch is checked out. */
export function gitBranch(folder: string): string {
  try {
    const head = readFileSync(join(folder, ".git", "HEAD"), "utf8").trim();
    return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? "HEAD";
  } catch {
    return dirname(folder) === folder ? "" : gitBranch(dirname(folder));
  }
}
