// Files of a session that were put aside: a folder `<time>-<id>` with them and a page that says where each belongs.
//
// [PTA1] The page is written before the file it speaks of arrives: at any moment each file is in its own place or here,
//        and the page knows both.
// [PTA2] What goes back goes exactly where it was, and only if nothing is there by now; all of it or nothing.
// [PTA3] It goes back into a folder that is still there: a workspace or config folder that is gone is not made again.
// [PTA4] A page that cannot be read, or names a place that is not in that folder, is reported and nothing is moved by it.
// [PTA5] What none of its files reached, or all have left, is not there: it is not listed, and a run that failed takes
//        it away again. After one that was killed the next who changes something does.

import { lstatSync, mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { basename, isAbsolute, join, normalize } from "node:path";
import {
  makeFolder,
  readBytes,
  refuseLinkedFolder,
  removeFile,
  replaceFile,
  sweepTemporary,
} from "../base/atomic-file.js";
import { errorCode, HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { withLock } from "../base/lock.js";
import { namesIn } from "../base/names-in.js";
import { utcCompact } from "../base/utc.js";
import { limits } from "../limits.js";
import { guard, type Report, storeError } from "./error.js";
import { isSameFile, isThere } from "./whole-files.js";

/** Whose files they are. */
export interface Owner {
  id: string;
  agent: string;
  title: string | null;
  /** The real path of its workspace. */
  workspace: string | null;
  /** The folder that has to be there for its files to go back. */
  within: string;
}

export interface Aside extends Owner {
  /** Of its folder. */
  name: string;
  path: string;
  atMs: number;
  files: AsideFile[];
}

export interface AsideFile {
  name: string;
  from: string;
}

/** Alone in that folder; what goes wrong is the store's trouble. */
export async function whileAside<T>(folder: string, work: () => T | Promise<T>): Promise<T> {
  try {
    refuseLinkedFolder(folder);
    return await withLock(`${folder}.lock`, work, { afterDeath: () => sweepUnbegun(folder) });
  } catch (error) {
    throw storeError(folder, error);
  }
}

/** Newest first. */
export function listAside(folder: string, report?: Report): Aside[] {
  const all = guard(folder, () => {
    refuseLinkedFolder(folder);
    return namesIn(folder);
  });
  const names = all.filter((name) => !name.startsWith(".") && !isUnbegun(join(folder, name)));
  const found = names.flatMap((name) => {
    const aside = readAside(join(folder, name));
    if (typeof aside !== "string") return isEmpty(aside) ? [] : [aside];
    report?.({ path: join(folder, name, page), line: 1, why: aside });
    return [];
  });
  return found.sort((a, b) => b.atMs - a.atMs || (a.name < b.name ? 1 : -1));
}

export interface NewAside {
  /** Where to put each file, one after the other; the folder is made with the first. */
  placeFor(from: string): string;
  /** After a failure: where nothing arrived, nothing is left. */
  giveUp(): void;
}

export function newAside(folder: string, owner: Owner): NewAside {
  const atMs = Date.now();
  let aside: Aside | null = null;
  return {
    placeFor(from) {
      aside ??= { ...owner, ...newFolder(folder, `${utcCompact(atMs)}-${owner.id}`), atMs, files: [] };
      aside.files.push({ name: basename(from), from });
      writePage(aside);
      return join(aside.path, basename(from));
    },
    giveUp() {
      if (aside !== null && isEmpty(aside)) closeAside(aside);
    },
  };
}

/** Which files go back, where nothing is in the way of any. */
export function returning(aside: Aside): AsideFile[] {
  const here = aside.files.filter(({ name }) => isThere(join(aside.path, name)));
  if (!isThere(aside.within)) {
    throw new HiveError(`${harmless(aside.within)} is gone: there is nothing to put it back into`, {
      hint: `its files are in ${harmless(aside.path)}`,
    });
  }
  const taken = here.find(({ name, from }) => isThere(from) && !isSameFile(join(aside.path, name), from));
  if (taken !== undefined) {
    throw new HiveError(`there is a ${harmless(taken.from)} by now: it is left as it is`, {
      hint: `look at both; this one is in ${harmless(aside.path)}`,
    });
  }
  if (here.length === 0) throw new HiveError(`there is nothing in ${harmless(aside.path)} to put back`);
  // The first is the session's own: with it the session is there again, so it comes last.
  return here.toReversed();
}

/** None of its files is in it; what else somebody put into its folder stays. */
export function closeAside({ path }: Aside): void {
  removeFile(join(path, page));
  try {
    rmdirSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOTEMPTY") throw error;
  }
}

const page = "manifest.json";

function isEmpty({ path, files }: Aside): boolean {
  return !files.some(({ name }) => isThere(join(path, name)));
}

/** Nothing is in it but what a writer leaves that was killed over its page. */
function isUnbegun(path: string): boolean {
  try {
    return lstatSync(path).isDirectory() && readdirSync(path).every((name) => name.startsWith(`.${page}.`));
  } catch {
    // One that cannot be looked into is told by who reads its page.
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
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    try {
      mkdirSync(join(folder, name), { mode: 0o700 });
      return { name, path: join(folder, name) };
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}

function writePage({ path, name: _, ...facts }: Aside): void {
  replaceFile(join(path, page), `${JSON.stringify({ version: 1, ...facts }, null, 2)}\n`);
}

/** Or what is wrong with it. */
function readAside(path: string): Aside | string {
  try {
    refuseLinkedFolder(path);
    const text = readBytes(join(path, page), limits.manifestBytes)?.toString("utf8");
    if (text === undefined) return "there is no page that says where these files belong";
    const { version, ...facts } = JSON.parse(text);
    if (version !== 1) return "it was written by a newer hivemind";
    return isAside(facts)
      ? { ...facts, name: basename(path), path }
      : "it does not say where these files belong";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function isAside(value: Record<string, unknown>): value is Omit<Aside, "name" | "path"> & typeof value {
  const { id, agent, title, workspace, within, atMs, files } = value;
  const isText = (each: unknown) => typeof each === "string";
  return (
    [id, agent, within].every(isText) &&
    [title, workspace].every((each) => each === null || isText(each)) &&
    isMoment(atMs) &&
    Array.isArray(files) &&
    files.every((file) => isFileOf(file, String(within)))
  );
}

function isMoment(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) <= limits.latestTimeMs;
}

function isFileOf(file: Partial<AsideFile> | null, within: string): boolean {
  const { name, from } = file ?? {};
  if (typeof name !== "string" || typeof from !== "string") return false;
  const isInside = isAbsolute(within) && from.startsWith(within.endsWith("/") ? within : `${within}/`);
  return name === basename(from) && name !== page && normalize(from) === from && isInside;
}
