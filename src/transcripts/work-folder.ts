// The transcripts that a list of one work folder needs, of thousands: its own, and those that decide their lineage.
// They have a cache of their own, so such a list neither loads nor looks at the others.
//
// [WF1] A list of one work folder, and the lineage of its sessions, are the same from these transcripts as from all
//       of them. Where that is not certain, every file is looked at, and the cache is made again.
//
// After a look at every file it is certain, because clients only append:
// - New and gone files change the time of their folder.
// - An append changes neither the first message nor the first folder of a transcript. One without them is needed.
// - An append can relate a transcript to a second one only before the second one has its first message: a fork begins
//   with messages of its original, a cleared session follows one that was written before. So the look must be later
//   than the first message of each needed transcript, by the time that records may take to reach the disk.
// - What an append changes in a needed transcript is seen, because that file is looked at (index.ts).
// Any other write is seen when every file is looked at again, within `fullLookMs`.

import { basename, dirname, isAbsolute, join } from "node:path";
import { remembered } from "../base/remembered.js";
import { limits } from "../limits.js";
import { fingerprint } from "../names/fingerprint.js";
import type { SessionId } from "../names/gates.js";
import { loadCache, type Readings, removeOld, saveCache } from "./cache.js";
import { type Columns, packed, unpacked } from "./columns.js";
import { folderStamp, look, newSearch, type Root, type Search, stated } from "./find.js";
import { type FileIn, type IndexedFolder, readingOf, saved, transcriptOf } from "./indexed-folder.js";
import { kinGroups } from "./lineage/kin-groups.js";
import { difference, type Stamp, stampOf } from "./scan/scan.js";
import type { Facts, Problem } from "./transcript.js";

export interface WorkFolderList {
  /** A real path. */
  workFolder: string;
  /** Whether a folder in the records of a transcript is the work folder. */
  isWorkFolder(cwd: string): boolean;
  /** Sessions that are needed too, wherever they are. */
  sessions: readonly SessionId[];
  /** Sessions that come from each other, as other evidence than transcripts says. */
  links(): Iterable<readonly [SessionId, SessionId]>;
}

/** The transcripts that a list needs. */
export interface WorkFolderPart {
  name: string;
  version: number;
  folders: readonly IndexedFolder[];
  files: readonly FileIn[];
}

/** What must still hold, besides the files themselves. */
interface Conditions {
  /** When every file was looked at. */
  atMs: number;
  /** The folders with transcripts, as they were then. */
  folders: readonly [path: string, stamp: Stamp][];
  /** All needed sessions, also those without a transcript. */
  sessions: readonly SessionId[];
  /** The folders that other transcripts name. */
  otherFolders: readonly string[];
}

/** Whether a list of one work folder can be made from a part of the transcripts in this folder. */
export function hasParts({ format }: Root): boolean {
  return format.folders !== undefined;
}

/** Null if every file must be looked at. */
export function loadPart(
  roots: readonly Root[],
  cacheDir: string,
  list: WorkFolderList,
  search: Search,
): WorkFolderPart | null {
  const { name, cacheFile, key } = partOf(roots, cacheDir, list);
  const known = loadCache(cacheFile, key, read);
  if (known === null || !isCertain(known.conditions, list)) return null;
  const { columns, conditions } = known;
  const folders = roots.map((root): IndexedFolder => {
    return { root, cacheFile, key, cached: () => columns, read: new Map(), unsavedBytes: 0 };
  });
  const folderOf = new Map(
    folders.flatMap((folder) => listed(folder.root, search).map((path) => [path, folder])),
  );
  if (!areAsTheyWere([...folderOf.keys()], conditions)) return null;
  const files: FileIn[] = [];
  for (const path of columns.paths()) {
    const folder = folderOf.get(dirname(path));
    const stat = look(path, search, stated);
    if (folder === undefined || !stat?.isFile()) return null;
    const id = folder.root.format.folders!.sessionOf(basename(path))!;
    files.push({ id, path, stamp: stampOf(stat), folder, row: null });
  }
  return { name, version: conditions.atMs, folders, files };
}

/** After a look at every file of these folders, in which all were read. Keeps nothing if nothing is certain yet. */
export function savePart(
  roots: readonly Root[],
  cacheDir: string,
  list: WorkFolderList,
  files: readonly FileIn[],
  atMs: number,
): Problem[] {
  const folders = settledFolders(roots, atMs);
  const needed = folders && neededFor(list, files);
  if (needed === null || !needed.files.every((file) => isBegunBefore(file, atMs))) return [];
  const { sessions, otherFolders } = needed;
  const conditions: Conditions = { atMs, folders: folders!, sessions, otherFolders };
  const readings: Readings<Facts> = new Map();
  for (const { folder, path } of needed.files) readings.set(path, readingOf(folder, path)!);
  const { cacheFile, key } = partOf(roots, cacheDir, list);
  return saved(cacheFile, () => {
    saveCache(cacheFile, key, ...written(conditions), ...packed(readings));
    removeOld(cacheDir, prefix);
  });
}

const prefix = "work-folder-";

function partOf(roots: readonly Root[], cacheDir: string, { workFolder }: WorkFolderList) {
  const key = [roots[0]?.format.parser.name, ...roots.map(({ folder }) => folder), workFolder].join("\n");
  const name = fingerprint(key);
  return { name, cacheFile: join(cacheDir, `${prefix}${name}`), key };
}

/** With its length, and blanks behind it, so that the columns are aligned. */
function written(conditions: Conditions): Buffer[] {
  const text = Buffer.from(JSON.stringify(conditions));
  const [length, blanks] = [
    Buffer.alloc(alignment),
    Buffer.alloc(alignment - (text.length % alignment), " "),
  ];
  length.writeDoubleLE(text.length + blanks.length);
  return [length, text, blanks];
}

function read(bytes: Buffer): { conditions: Conditions; columns: Columns } {
  const end = alignment + bytes.readDoubleLE(0);
  const conditions = JSON.parse(bytes.toString("utf8", alignment, end)) as Conditions;
  return { conditions, columns: unpacked(bytes.subarray(end)) };
}

const alignment = Float64Array.BYTES_PER_ELEMENT;

function isCertain(then: Conditions, list: WorkFolderList): boolean {
  const ageMs = Date.now() - then.atMs;
  if (ageMs < 0 || ageMs > limits.fullLookMs) return false;
  const sessions = new Set(then.sessions);
  if (!list.sessions.every((id) => sessions.has(id))) return false;
  for (const [one, other] of list.links()) if (sessions.has(one) !== sessions.has(other)) return false;
  return !then.otherFolders.some((cwd) => list.isWorkFolder(cwd));
}

/** The folders that hold transcripts. */
function listed({ folder, format }: Root, search: Search): string[] {
  return format.folders!.list(folder, search);
}

function areAsTheyWere(folders: readonly string[], { folders: before, atMs }: Conditions): boolean {
  const stamps = new Map(before);
  return (
    folders.length === stamps.size &&
    folders.every((folder) => {
      const [then, now] = [stamps.get(folder), folderStamp(folder)];
      return (
        then !== undefined && now !== null && difference({ stamp: then, lookedAtMs: atMs }, now) === "none"
      );
    })
  );
}

/** Null if a folder may have changed since it was listed: one that is old enough did not. */
function settledFolders(roots: readonly Root[], atMs: number): [string, Stamp][] | null {
  const folders: [string, Stamp][] = [];
  const search = newSearch();
  for (const path of roots.flatMap((root) => listed(root, search))) {
    const stamp = folderStamp(path);
    if (stamp === null) return null;
    if (Math.max(stamp.modifiedAtMs, stamp.changedAtMs) + limits.folderSettleMs > atMs) return null;
    folders.push([path, stamp]);
  }
  return folders;
}

function isBegunBefore(file: FileIn, atMs: number): boolean {
  const { rootMessage, firstAtMs } = transcriptOf(file).facts;
  return rootMessage === null || (firstAtMs ?? atMs) + limits.recordsSettleMs <= atMs;
}

interface Needed {
  files: readonly FileIn[];
  sessions: readonly SessionId[];
  otherFolders: readonly string[];
}

/** Null if the links lead too far. */
function neededFor(list: WorkFolderList, files: readonly FileIn[]): Needed | null {
  const all = files.map((file) => ({ file, id: file.id, facts: transcriptOf(file).facts }));
  const groups = kinGroups(all);
  const needed = new Set(list.sessions);
  const isOwn = ownTest(list);
  for (const { file, facts } of all) if (isOwn(file, facts)) needed.add(file.id);
  const neededGroups = new Set<number>();
  // Links lead to other groups, and those to other links.
  for (let round = 0, before = -1; needed.size > before; round++) {
    if (round === limits.linkRounds) return null;
    before = needed.size;
    for (const [at, { id }] of all.entries()) if (needed.has(id)) neededGroups.add(groups[at]!);
    for (const [at, { id }] of all.entries()) if (neededGroups.has(groups[at]!)) needed.add(id);
    for (const [one, other] of list.links()) {
      if (needed.has(one)) needed.add(other);
      else if (needed.has(other)) needed.add(one);
    }
  }
  const others = all.flatMap(({ id, facts }) => (needed.has(id) ? [] : (facts.firstCwd ?? [])));
  return {
    files: files.filter(({ id }) => needed.has(id)),
    sessions: [...needed],
    otherFolders: [...new Set(others)],
  };
}

/** Whether a transcript belongs to the work folder, or may come to belong there. */
function ownTest({ workFolder, isWorkFolder }: WorkFolderList) {
  // Thousands of transcripts are in a few dozen folders, and name as many.
  const isNamed = remembered(isWorkFolder);
  return ({ path, folder }: FileIn, { rootMessage, firstCwd }: Readonly<Facts>): boolean => {
    const isOpen = rootMessage === null || firstCwd === null || !isAbsolute(firstCwd);
    return isOpen || isNamed(firstCwd) || folder.root.format.folders!.isFor(dirname(path), workFolder);
  };
}
