// The files of a workspace's store, and which one a reference means.
//
// - The list has the sessions of the partition and the flat ones that belong to the workspace. Every other file
//   named like a session is listed as refused, with the reason.
// - Order: last change first (by the file's records, then its own time), then id, descending. `latest` is the first
//   with a message.
// - An id means one file of this store. Only an explicit path can name a file outside it.
// - Looking creates no folder and no file.

import { realpathSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { errorCode, HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { isNewestWord, type ManagedId, managedId, readManagedId } from "../../names/managed-id.js";
import type { Contents } from "./contents.js";
import { recordBytes } from "./make.js";
import {
  isOfAnother,
  type ManagedSummary,
  type ReadFile,
  type RefusedFile,
  readManagedFile,
  refusalError,
  refusalOf,
} from "./managed-file.js";
import {
  couldNotLook,
  isThere,
  namedFiles,
  otherPartitions,
  type Places,
  pathsOf,
  standsAt,
  stemOf,
} from "./places.js";

/** `latest`, `last`, `recent`, an id of this workspace, or an explicit path. */
export type ManagedRef = string | { file: string };

export interface ManagedList {
  /** Newest first. */
  sessions: ManagedSummary[];
  /** Files here that are not shown as sessions, each with the reason. */
  refused: RefusedFile[];
  /** How many sessions of other workspaces the same data folder has; they are hidden on purpose. */
  elsewhere: number;
}

/** `partition` and `flat` belong to this store; `other` is another partition of this workspace's folder. */
export interface Located {
  path: string;
  id: ManagedId;
  place: "partition" | "flat" | "other" | "outside";
}

export function listManaged(places: Places): ManagedList {
  const list: ManagedList = { sessions: [], refused: [], elsewhere: 0 };
  const seen = new Map<ManagedId, string>();
  for (const folder of [places.partition, places.legacyRoot]) {
    // `.json` sorts before `.jsonl`, but has lower precedence.
    for (const { id, path } of lookInto(list, folder, () => namedFiles(places, folder)).reverse()) {
      const before = id === null ? undefined : seen.get(id);
      if (before === undefined) addFile(list, places, path);
      else list.refused.push(hidden(path, id, before));
      if (id !== null) seen.set(id, before ?? path);
    }
  }
  for (const folder of lookInto(list, places.legacyRoot, () => otherPartitions(places))) {
    const files = lookInto(list, folder, () => namedFiles(places, folder));
    if (places.isShared) list.elsewhere += files.length;
    else list.refused.push(...files.flatMap(({ path }) => strayOf(places, path) ?? []));
  }
  return { ...list, sessions: list.sessions.sort(byChange) };
}

export function locate(places: Places, ref: ManagedRef): Located {
  const found = locateOrStray(places, ref);
  if (found.place !== "other" || typeof ref !== "string") return found;
  const refused = strayOf(places, found.path);
  throw refused === null ? unknown(places, found.id) : refusalError(refused, places.workspace);
}

/** Also finds a session in another partition of this folder: a moved or copied clone contains those. */
export function locateOrStray(places: Places, ref: ManagedRef): Located {
  if (typeof ref !== "string") return locateFile(places, ref.file);
  if (isNewestWord(ref)) {
    const newest = listManaged(places).sessions.find(({ messages }) => messages > 0);
    if (newest === undefined) throw unknown(places, null);
    return { path: newest.path, id: newest.id, place: newest.isLegacy ? "flat" : "partition" };
  }
  const id = managedId(ref);
  const folders = [places.partition, places.legacyRoot].filter((folder) => isThere(places, folder));
  const path = pathsOf(places, id).find((each) => folders.includes(dirname(each)) && standsAt(each));
  if (path !== undefined) return { path, id, place: placeOf(places, path) };
  const strays = places.isShared
    ? []
    : otherPartitions(places).flatMap((folder) => namedFiles(places, folder));
  const [stray, second] = strays.filter((each) => each.id === id);
  if (stray === undefined) throw unknown(places, id);
  if (second === undefined) return { path: stray.path, id, place: "other" };
  throw new HiveError(`several sessions of other folders have the id ${id}`, {
    hint: `name the file: ${harmless(stray.path)} or ${harmless(second.path)}`,
  });
}

/** Reads a session that belongs here; any other is an error with the reason. */
export function readLocated(places: Places, { path, id, place }: Located): ReadFile {
  const file = readManagedFile(path, place === "flat");
  if (file === null) throw unknown(places, id);
  if (!isRead(file)) throw refusalError(file, places.workspace);
  const refused = refusalOf(file, places.workspace);
  if (refused !== null) throw refusalError(refused, places.workspace);
  return file;
}

/**
 * The path of a session here that began as a copy of this one, even if it has grown since; null if there is none.
 */
export function copyOf(places: Places, { summary, contents }: ReadFile): string | null {
  const [path] = pathsOf(places, summary.id);
  const file = readManagedFile(path!, false);
  if (file === null || !isRead(file) || refusalOf(file, places.workspace) !== null) return null;
  return beginsWith(file.contents, contents) ? path! : null;
}

export function isRead(file: ReadFile | RefusedFile): file is ReadFile {
  return "contents" in file;
}

function locateFile(places: Places, file: string): Located {
  let path: string;
  try {
    path = realpathSync(resolve(file));
  } catch (error) {
    if (errorCode(error) === "ENOENT") throw new HiveError(`there is no file ${harmless(file)}`);
    throw couldNotLook(file, error);
  }
  const id = readManagedId(stemOf(basename(path)));
  if (id === null) throw new HiveError(`refused ${harmless(path)}: its name is not a session id`);
  return { path, id, place: placeOf(places, path) };
}

function placeOf(places: Places, path: string): Located["place"] {
  const folder = dirname(path);
  if (folder === places.partition) return "partition";
  if (folder === places.legacyRoot) return "flat";
  return !places.isShared && dirname(folder) === places.legacyRoot ? "other" : "outside";
}

/** Why a file in another partition of this folder is not shown; null if the file is gone. */
function strayOf(places: Places, path: string): RefusedFile | null {
  const file = readManagedFile(path, false);
  if (file === null || !isRead(file)) return file;
  // The older form is only copied, and the original stays.
  const copy = file.contents.form === "object" ? copyOf(places, file) : null;
  if (copy !== null) return hidden(path, file.summary.id, copy);
  const refused = refusalOf(file, places.workspace);
  if (refused !== null) return refused;
  const why = `it is stored for another folder, ${basename(dirname(path))}`;
  const { id, workspaceRoot } = file.summary;
  return { path, id, reason: "moved", why, workspaceRoot };
}

function addFile(list: ManagedList, places: Places, path: string): void {
  const file = readManagedFile(path, dirname(path) !== places.partition);
  if (file === null) return;
  const refused = isRead(file) ? refusalOf(file, places.workspace) : file;
  if (refused !== null) list.refused.push(refused);
  else if (isRead(file)) list.sessions.push(file.summary);
}

/** An unreadable folder is reported like an unreadable file, and the rest is listed. */
function lookInto<T>(list: ManagedList, folder: string, look: () => T[]): T[] {
  try {
    return look();
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
    const refused = {
      path: folder,
      id: null,
      reason: "unreadable",
      why: error.message,
      workspaceRoot: null,
    } as const;
    if (!list.refused.some(({ path }) => path === folder)) list.refused.push(refused);
    return [];
  }
}

/** A record that cannot be written was not copied either. */
function beginsWith(contents: Contents, beginning: Contents): boolean {
  try {
    const bytes = recordBytes(beginning);
    return recordBytes(contents).subarray(0, bytes.length).equals(bytes);
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
    return false;
  }
}

function hidden(path: string, id: ManagedId | null, by: string): RefusedFile {
  return { path, id, reason: "hidden", why: `${harmless(by)} has the same id`, workspaceRoot: null };
}

function byChange(a: ManagedSummary, b: ManagedSummary): number {
  return b.updatedAtMs - a.updatedAtMs || b.modifiedAtMs - a.modifiedAtMs || (a.id < b.id ? 1 : -1);
}

function unknown(places: Places, id: ManagedId | null): HiveError {
  const what = id === null ? "no session with messages" : `no session ${id}`;
  const { refused, elsewhere } = listManaged(places);
  const invisible = elsewhere + refused.filter(isOfAnother).length;
  const folder = harmless(places.workspace.path);
  return new HiveError(`there is ${what} in ${harmless(places.partition)}`, {
    hint: `only sessions of ${folder} are visible here; ${invisible} of other folders are hidden: hivemind sessions --all`,
  });
}
