// Finds transcripts, `<config folder>/projects/<slug>/<uuid>.jsonl`, with listings and `stat` alone.
//
// - Only a regular file with a UUID as its name, directly in a slug folder, counts. A symbolic link to a file does
//   not.
// - `projects` and slug folders may be symbolic links; a folder that is reached twice is listed once.
// - The files of one session are found without a look at any other file.
// - A missing folder is empty. An unreadable one is a problem, and the rest is still found.

import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../base/errors.js";
import { isSessionId, type SessionId } from "../names/gates.js";
import { type Stamp, stampOf } from "./scan/scan.js";
import type { Problem } from "./transcript.js";

export interface FoundFile {
  id: SessionId;
  /** The config folder that contains it. */
  root: string;
  path: string;
  stamp: Stamp;
}

export interface Found {
  files: FoundFile[];
  problems: Problem[];
}

export function findTranscripts(roots: readonly string[]): Found {
  return find(roots, namesIn);
}

export function findSession(roots: readonly string[], id: SessionId): Found {
  return find(roots, () => [id + suffix]);
}

const suffix = ".jsonl";

function namesIn(folder: string, problems: Problem[]): string[] {
  return look(folder, problems, listed) ?? [];
}

function find(roots: readonly string[], namesOf: typeof namesIn): Found {
  const files: FoundFile[] = [];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const root of roots) {
    for (const folder of slugFolders(join(root, "projects"), seen, problems)) {
      const inFolder = `${folder}/`;
      for (const name of namesOf(folder, problems)) {
        const id = name.endsWith(suffix) ? name.slice(0, -suffix.length) : "";
        if (!isSessionId(id)) continue;
        const path = inFolder + name;
        const stat = look(path, problems, stated);
        if (stat?.isFile()) files.push({ id, root, path, stamp: stampOf(stat) });
      }
    }
  }
  return { files, problems };
}

// Named functions: a new function for each of thousands of files takes time.
const listed = (folder: string) => readdirSync(folder);
const ifThere = { throwIfNoEntry: false } as const;
const stated = (path: string) => lstatSync(path, ifThere);

/** Real folders before linked ones, so that a folder has its own name if possible. */
function slugFolders(projects: string, seen: Set<string>, problems: Problem[]): string[] {
  const real = look(projects, problems, (path) => realpathSync(path));
  if (real === null) return [];
  // Names in a listing need no `join`, which takes longer than listing them.
  const inReal = real.endsWith("/") ? real : `${real}/`;
  const entries = look(projects, problems, (path) => readdirSync(path, { withFileTypes: true })) ?? [];
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => [name, inReal + name]);
  const links = entries
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name }) => {
      return [name, look(`${projects}/${name}`, problems, (path) => realpathSync(path))];
    });
  const found: string[] = [];
  for (const [name, realFolder] of [...folders, ...links]) {
    if (!realFolder || seen.has(realFolder)) continue;
    seen.add(realFolder);
    found.push(`${projects}/${name}`);
  }
  return found;
}

/** Null for a missing path or one that is not a folder; other failures become problems. */
function look<T>(path: string, problems: Problem[], ask: (path: string) => T): T | null {
  try {
    return ask(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (code !== "ENOENT" && code !== "ENOTDIR") problems.push({ path, message: (error as Error).message });
    return null;
  }
}
