// Finds Claude Code's transcripts, `<config folder>/projects/<slug>/<uuid>.jsonl`.
//
// - Only a regular file with a UUID as its name, directly in a slug folder, counts. A symbolic link to a file does
//   not.
// - `projects` and slug folders may be symbolic links; a folder that is reached twice is listed once.

import { readdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { limits } from "../../../limits.js";
import { isUuid, type SessionId } from "../../../names/gates.js";
import { projectSlug } from "../../../names/slug.js";
import {
  type FoundFile,
  listed,
  look,
  type Search,
  stated,
  type TranscriptFormat,
} from "../../../transcripts/find.js";
import { stampOf } from "../../../transcripts/scan/scan.js";
import { claudeLines } from "./lines.js";
import { isFoundFrom, workFolderOf } from "./work-folder.js";

export const claudeTranscripts: TranscriptFormat = {
  kind: "claude",
  parser: claudeLines,
  find: (root, search) => find(root, search, (folder) => look(folder, search, listed) ?? []),
  findSessions,
  workFolderOf,
  isFoundFrom,
  folders: {
    list: (root, search) => slugFolders(join(root, "projects"), search),
    sessionOf,
    isFor: (folder, workFolder) => basename(folder) === projectSlug(workFolder),
  },
};

const suffix = ".jsonl";

function sessionOf(name: string): SessionId | null {
  const id = name.endsWith(suffix) ? name.slice(0, -suffix.length) : "";
  return isUuid(id) ? id : null;
}

/** A few are looked up by name; for more of them the folders are listed. */
function findSessions(root: string, ids: ReadonlySet<SessionId>, search: Search): FoundFile[] {
  const names = new Set([...ids].map((id) => id + suffix));
  if (names.size <= limits.lookedUpSessions) return find(root, search, () => [...names]);
  return find(root, search, (folder) =>
    (look(folder, search, listed) ?? []).filter((name) => names.has(name)),
  );
}

function find(root: string, search: Search, namesIn: (folder: string) => readonly string[]): FoundFile[] {
  const files: FoundFile[] = [];
  for (const folder of slugFolders(join(root, "projects"), search)) {
    const inFolder = `${folder}/`;
    for (const name of namesIn(folder)) {
      const id = sessionOf(name);
      if (id === null) continue;
      const path = inFolder + name;
      const stat = look(path, search, stated);
      if (stat?.isFile()) files.push({ id, path, stamp: stampOf(stat) });
    }
  }
  return files;
}

/** Real folders before linked ones, so that a folder has its own name if possible. */
function slugFolders(projects: string, search: Search): string[] {
  const real = look(projects, search, (path) => realpathSync(path));
  if (real === null) return [];
  // Names in a listing need no `join`, which takes longer than listing them.
  const inReal = real.endsWith("/") ? real : `${real}/`;
  const entries = look(projects, search, (path) => readdirSync(path, { withFileTypes: true })) ?? [];
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => [name, inReal + name]);
  const links = entries
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name }) => [name, look(`${projects}/${name}`, search, (path) => realpathSync(path))]);
  const found: string[] = [];
  for (const [name, realFolder] of [...folders, ...links]) {
    if (!realFolder || search.listed.has(realFolder)) continue;
    search.listed.add(realFolder);
    found.push(`${projects}/${name}`);
  }
  return found;
}
