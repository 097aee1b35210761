// What is known about the files of one client's folder: the readings of its cache, and those made since.

import { join } from "node:path";
import { errorCode } from "../base/errors.js";
import { once } from "../base/once.js";
import { fingerprint } from "../names/fingerprint.js";
import { loadCache, type Readings, saveCache } from "./cache.js";
import { type Columns, type Needed, packed, unpacked } from "./columns.js";
import type { FoundFile, Root } from "./find.js";
import { difference, type Reading } from "./scan/scan.js";
import type { Facts, Problem, Transcript } from "./transcript.js";

export interface IndexedFolder {
  root: Root;
  cacheFile: string;
  key: string;
  /** The readings from the cache. Loaded on demand: a folder may have no file. */
  cached(): Columns | null;
  /** The readings since then; they take precedence over the cache. */
  read: Readings<Facts>;
  /** Bytes read since the cache was written. */
  unsavedBytes: number;
}

export function openFolder(root: Root, cacheDir: string, needed: Needed): IndexedFolder {
  const { folder, format } = root;
  const cacheFile = join(cacheDir, `transcripts-${fingerprint(folder)}`);
  const key = `${format.parser.name} ${folder}`;
  const cached = once(() => loadCache(cacheFile, key, (bytes) => unpacked(bytes, needed)));
  return { root, cacheFile, key, cached, read: new Map(), unsavedBytes: 0 };
}

/** A file in its client's folder. */
export interface FileIn extends FoundFile {
  folder: IndexedFolder;
  /** Of its reading in the cache; undefined if it has none, null until somebody asks. */
  row: number | undefined | null;
}

export function filesIn(folder: IndexedFolder, found: readonly FoundFile[]): FileIn[] {
  return found.map(({ id, path, stamp }) => ({ id, path, stamp, folder, row: null }));
}

/** Whether the file is as it was when it was read. */
export function isUnchanged(file: FileIn): boolean {
  const { path, stamp, folder } = file;
  const reading = folder.read.get(path);
  if (reading !== undefined) return difference(reading, stamp) === "none";
  const columns = folder.cached();
  file.row = columns?.rowOf(path);
  return file.row !== undefined && columns!.isUnchanged(file.row, stamp);
}

export function readingOf({ read, cached }: IndexedFolder, path: string): Reading<Facts> | null {
  const row = cached()?.rowOf(path);
  return read.get(path) ?? (row === undefined ? null : cached()!.reading(row));
}

/** If the file did not change, the stamp it was found with is that of its reading. */
export function transcriptOf(
  { id, path, stamp, row, folder: { root, read, cached } }: FileIn,
  reading = read.get(path),
): Transcript {
  const known = reading?.stamp ?? stamp;
  const { sizeBytes, modifiedAtMs, bornAtMs } = known;
  return {
    id,
    kind: root.format.kind,
    folder: root.folder,
    path,
    sizeBytes,
    modifiedAtMs,
    bornAtMs: bornAtMs > 0 && root.format.isMirrored !== true ? bornAtMs : null,
    facts: reading?.value ?? cached()!.facts(row ?? cached()!.rowOf(path)!),
    stamp: known,
  };
}

/** `files`: every file there is; null after a look at some of them. */
export function saveFolders(
  folders: readonly IndexedFolder[],
  files: readonly FileIn[] | null,
  afterBytes: number,
): Problem[] {
  return folders.flatMap((folder) => {
    if (folder.unsavedBytes < afterBytes) return [];
    return saved(folder.cacheFile, () => {
      saveCache(folder.cacheFile, folder.key, ...packed(readingsOf(folder, files)));
      folder.unsavedBytes = 0;
    });
  });
}

/** A cache that cannot be written costs time in every run, so it is reported. Nothing else depends on it. */
export function saved(path: string, save: () => void): Problem[] {
  try {
    save();
    return [];
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [{ path, message: (error as Error).message, isAside: true }];
  }
}

/** The readings of the files that exist, in their order; after a look at some files, all readings. */
function readingsOf(folder: IndexedFolder, files: readonly FileIn[] | null): Readings<Facts> {
  const own = files?.flatMap((file) => (file.folder === folder ? file.path : []));
  const paths = own ?? new Set([...(folder.cached()?.paths() ?? []), ...folder.read.keys()]);
  const readings: Readings<Facts> = new Map();
  for (const path of paths) {
    const reading = readingOf(folder, path);
    if (reading !== null) readings.set(path, reading);
  }
  return readings;
}
