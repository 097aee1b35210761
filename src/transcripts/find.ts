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
  return find(roots, idsIn);
}

export function findSession(roots: readonly string[], id: SessionId): Found {
  return find(roots, () => [id]);
}

const suffix = ".jsonl";

function idsIn(folder: string, problems: Problem[]): string[] {
  const names = look(folder, problems, () => readdirSync(folder)) ?? [];
  return names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));
}

function find(roots: readonly string[], namesIn: (folder: string, problems: Problem[]) => string[]): Found {
  const files: FoundFile[] = [];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const root of roots) {
    for (const folder of slugFolders(join(root, "projects"), seen, problems)) {
      for (const id of namesIn(folder, problems)) {
        if (!isSessionId(id)) continue;
        const path = `${folder}/${id}${suffix}`;
        const stat = look(path, problems, () => lstatSync(path, { throwIfNoEntry: false }));
        if (stat?.isFile()) files.push({ id, root, path, stamp: stampOf(stat) });
      }
    }
  }
  return { files, problems };
}

/** Real folders before linked ones, so that a folder has its own name if possible. */
function slugFolders(projects: string, seen: Set<string>, problems: Problem[]): string[] {
  const real = look(projects, problems, () => realpathSync(projects));
  if (real === null) return [];
  const entries = look(projects, problems, () => readdirSync(projects, { withFileTypes: true })) ?? [];
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => [name, join(real, name)]);
  const links = entries
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name }) => {
      const link = join(projects, name);
      return [name, look(link, problems, () => realpathSync(link))];
    });
  const found: string[] = [];
  for (const [name, realFolder] of [...folders, ...links]) {
    if (!realFolder || seen.has(realFolder)) continue;
    seen.add(realFolder);
    found.push(join(projects, name!));
  }
  return found;
}

/** Null for a missing path or one that is not a folder; other failures become problems. */
function look<T>(path: string, problems: Problem[], ask: () => T): T | null {
  try {
    return ask();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (code !== "ENOENT" && code !== "ENOTDIR") problems.push({ path, message: (error as Error).message });
    return null;
  }
}
