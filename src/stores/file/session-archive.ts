// Archived files of a session: a folder `<time>-<id>` with the files and a manifest that records where each belongs.
//
// - The manifest is written before a file arrives. So at any moment each file is in its own place or here, and the
//   manifest knows both.
// - Files go back exactly to where they were, all or none, and only if nothing is there now. The workspace or config
//   folder must exist: it is not created again.
// - An unreadable manifest, or one that names a place outside that folder, is reported, and nothing is moved.
// - A folder that no file reached, or that all files have left, is not listed. A failed run removes it; after a
//   killed run, the next change does.

import { lstatSync, mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { basename, isAbsolute, join, normalize } from "node:path";
import { errorCode, HiveError } from "../../base/errors.js";
import {
  makeFolder,
  readBytes,
  refuseLinkedFolder,
  removeFile,
  replaceFile,
  sweepTemporary,
} from "../../base/files/atomic-file.js";
import { namesIn } from "../../base/files/names-in.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { numbered } from "../../base/text/numbered.js";
import { utcCompact } from "../../base/text/utc.js";
import { limits } from "../../limits.js";
import { guard, type Report } from "./error.js";
import { namesInStore, whileLocked } from "./store-file.js";
import { isSameFile, isThere } from "./whole-files.js";

/** The session that the files belong to. */
export interface Owner {
  id: string;
  agent: string;
  title: string | null;
  /** The real path of its workspace. */
  workspace: string | null;
  /** The folder that must exist for the files to go back. */
  within: string;
}

export interface ArchivedSession extends Owner {
  /** The name of its folder. */
  name: string;
  path: string;
  atMs: number;
  files: ArchivedFile[];
}

export interface ArchivedFile {
  name: string;
  from: string;
}

/** Runs `work` under the folder's lock. */
export async function whileArchiveLocked<T>(folder: string, work: () => T | Promise<T>): Promise<T> {
  guard(folder, () => refuseLinkedFolder(folder));
  return whileLocked(folder, work, () => sweepUnbegun(folder));
}

/** Newest first. */
export function listArchive(folder: string, report?: Report): ArchivedSession[] {
  const names = namesInStore(folder).filter(
    (name) => !name.startsWith(".") && !isUnbegun(join(folder, name)),
  );
  const found = names.flatMap((name) => {
    const aside = readAside(join(folder, name));
    if (typeof aside !== "string") return isEmpty(aside) ? [] : [aside];
    report?.({ path: join(folder, name, page), line: 1, why: aside });
    return [];
  });
  return found.sort((a, b) => b.atMs - a.atMs || (a.name < b.name ? 1 : -1));
}

export function newArchive(folder: string, owner: Owner) {
  const atMs = Date.now();
  let aside: ArchivedSession | null = null;
  return {
    /** The place for the next file. The first call creates the folder. */
    placeFor(from: string): string {
      aside ??= { ...owner, ...newFolder(folder, `${utcCompact(atMs)}-${owner.id}`), atMs, files: [] };
      aside.files.push({ name: basename(from), from });
      writePage(aside);
      return join(aside.path, basename(from));
    },
    /** After a failure: removes the folder if no file arrived. */
    giveUp(): void {
      if (aside !== null && isEmpty(aside)) removeArchive(aside);
    },
  };
}

/** The files to put back. Throws if anything is in the way. */
export function filesToRestore(aside: ArchivedSession): ArchivedFile[] {
  const present = aside.files.filter(({ name }) => isThere(join(aside.path, name)));
  if (!isThere(aside.within)) {
    throw new HiveError(`${harmless(aside.within)} is gone: the session cannot be put back`, {
      hint: `its files are in ${harmless(aside.path)}`,
    });
  }
  const taken = present.find(({ name, from }) => isThere(from) && !isSameFile(join(aside.path, name), from));
  if (taken !== undefined) {
    throw new HiveError(`${harmless(taken.from)} exists again: it is left unchanged`, {
      hint: `compare the two; the archived one is in ${harmless(aside.path)}`,
    });
  }
  if (present.length === 0) throw new HiveError(`${harmless(aside.path)} has no files to put back`);
  // The first is the session's own file. It goes back last, because it makes the session visible.
  return present.toReversed();
}

/** For a folder without session files. Keeps the folder if anything else is in it. */
export function removeArchive({ path }: ArchivedSession): void {
  removeFile(join(path, page));
  try {
    rmdirSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOTEMPTY") throw error;
  }
}

const page = "manifest.json";

function isEmpty({ path, files }: ArchivedSession): boolean {
  return !files.some(({ name }) => isThere(join(path, name)));
}

/** Whether it has nothing except temporary files of a writer that was killed while writing the manifest. */
function isUnbegun(path: string): boolean {
  try {
    return lstatSync(path).isDirectory() && readdirSync(path).every((name) => name.startsWith(`.${page}.`));
  } catch {
    // Reading the manifest reports an unreadable folder.
    return false;
  }
}

function sweepUnbegun(folder: string): void {
  for (const path of namesIn(folder).map((name) => join(folder, name))) {
    if (!isUnbegun(path)) continue;
    sweepTemporary(path, page);
    rmdirSync(path);
  }
}

function newFolder(folder: string, wanted: string): { name: string; path: string } {
  makeFolder(folder);
  return numbered(wanted, "", (name) => {
    try {
      mkdirSync(join(folder, name), { mode: 0o700 });
      return { name, path: join(folder, name) };
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
      return null;
    }
  });
}

function writePage({ path, name: _, ...facts }: ArchivedSession): void {
  replaceFile(join(path, page), `${JSON.stringify({ version: 1, ...facts }, null, 2)}\n`);
}

/** A string is the problem. */
function readAside(path: string): ArchivedSession | string {
  try {
    refuseLinkedFolder(path);
    const text = readBytes(join(path, page), limits.manifestBytes)?.toString("utf8");
    if (text === undefined) return "it has no manifest that says where these files belong";
    const { version, ...facts } = JSON.parse(text);
    if (version !== 1) return "it was written by a newer hivemind";
    return isAside(facts)
      ? { ...facts, name: basename(path), path }
      : "its manifest does not say where these files belong";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function isAside(
  value: Record<string, unknown>,
): value is Omit<ArchivedSession, "name" | "path"> & typeof value {
  const { id, agent, title, workspace, within, atMs, files } = value;
  const isText = (each: unknown) => typeof each === "string";
  return (
    [id, agent, within].every(isText) &&
    [title, workspace].every((each) => each === null || isText(each)) &&
    typeof atMs === "number" &&
    Math.abs(atMs) <= limits.latestTimeMs &&
    Array.isArray(files) &&
    files.every((file) => isFileOf(file, String(within)))
  );
}

function isFileOf(file: Partial<ArchivedFile> | null, within: string): boolean {
  const { name, from } = file ?? {};
  if (typeof name !== "string" || typeof from !== "string") return false;
  const isInside = isAbsolute(within) && from.startsWith(within.endsWith("/") ? within : `${within}/`);
  return name === basename(from) && name !== page && normalize(from) === from && isInside;
}
