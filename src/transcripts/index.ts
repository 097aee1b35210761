// The index of every transcript in some config folders. Identity, context and lists are built on it.
//
// - After `refresh` the index equals what reading every file from its first byte would give.
// - An unchanged file is not opened.
// - An unreadable file is a problem of the result; the others are indexed.
// - A returned index never changes: a refresh makes a new one.

import { join } from "node:path";
import { errorCode } from "../base/errors.js";
import { limits } from "../limits.js";
import { fingerprint } from "../names/fingerprint.js";
import type { SessionId } from "../names/gates.js";
import { loadCache, type Readings, saveCache } from "./cache.js";
import { type Columns, packed, unpacked } from "./columns.js";
import { type FoundFile, findTranscripts } from "./find.js";
import type { MessageParent } from "./lineage/parent-by-messages.js";
import { readParents } from "./lineage/parent-cache.js";
import { difference, type Reading } from "./scan/scan.js";
import { type Progress, type ScanJob, scanAll, scanKinds } from "./scan/scan-all.js";
import type { Facts, Problem, Transcript, TranscriptParser } from "./transcript.js";

export interface Index {
  transcripts: readonly Transcript[];
  /** Last written first: one id may have files in several folders. */
  byId: ReadonlyMap<SessionId, readonly Transcript[]>;
  problems: readonly Problem[];
  bytesRead: number;
}

export interface IndexOptions {
  /** The clients' config folders; each has its transcripts under `projects/`. */
  roots: readonly string[];
  cacheDir: string;
  parser: TranscriptParser;
  onProgress?: (progress: Progress) => void;
  /** How many bytes must have been read before the cache is written again. */
  saveAfterBytes?: number;
  /** From how many bytes on a second thread is started. */
  workerFromBytes?: number;
}

export interface TranscriptIndex {
  refresh(): Promise<Index>;
  /** The parents of transcripts, from the messages they share: a second pass, with its own cache. */
  kinship(index: Pick<Index, "transcripts" | "byId">): Promise<ReadonlyMap<SessionId, MessageParent>>;
}

export function openIndex(options: IndexOptions): TranscriptIndex {
  let folders: readonly IndexedFolder[] | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  return {
    refresh() {
      folders ??= [...new Set(options.roots)].map((root) => openFolder(root, options));
      const known = folders;
      const next = turn.then(() => refresh(known, options));
      turn = next.catch(() => {});
      return next;
    },
    kinship: (index) => readParents(index, options),
  };
}

/** The readings of one config folder. */
interface IndexedFolder {
  root: string;
  cacheFile: string;
  key: string;
  /** The readings from the cache. */
  cached: Columns | null;
  /** The readings since then; they take precedence over the cache. */
  read: Readings<Facts>;
  /** Bytes read since the cache was written. */
  unsavedBytes: number;
}

function openFolder(root: string, { cacheDir, parser }: IndexOptions): IndexedFolder {
  const cacheFile = join(cacheDir, `transcripts-${fingerprint(root)}`);
  const key = `${parser.name} ${root}`;
  const cached = loadCache(cacheFile, key, unpacked);
  return { root, cacheFile, key, cached, read: new Map(), unsavedBytes: 0 };
}

async function refresh(folders: readonly IndexedFolder[], options: IndexOptions): Promise<Index> {
  const { files, problems } = findTranscripts(folders.map(({ root }) => root));
  const folderOf = new Map(folders.map((folder) => [folder.root, folder]));
  const jobs: ScanJob<Facts>[] = [];
  for (const file of files) {
    const folder = folderOf.get(file.root)!;
    if (isUnchanged(file, folder)) continue;
    jobs.push({ path: file.path, sizeBytes: file.stamp.sizeBytes, before: readingOf(folder, file.path) });
  }
  const outcomes = await scanAll(jobs, scanKinds(options.parser).facts, {
    ...options,
    worker: options.parser.worker,
  });

  const transcripts: Transcript[] = [];
  let bytesRead = 0;
  for (const file of files) {
    const folder = folderOf.get(file.root)!;
    const outcome = outcomes.get(file.path);
    if (outcome?.problem) problems.push({ ...outcome.problem, modifiedAtMs: file.stamp.modifiedAtMs });
    if (outcome?.scanned) {
      folder.read.set(file.path, outcome.scanned.reading);
      folder.unsavedBytes += outcome.scanned.bytesRead;
      bytesRead += outcome.scanned.bytesRead;
    }
    const isKnown = outcome === undefined || outcome.scanned !== null;
    if (isKnown) transcripts.push(transcriptOf(file, folder));
  }
  if (jobs.length > 0) problems.push(...saveFolders(folders, files, options));
  return { transcripts, byId: groupedById(transcripts), problems, bytesRead };
}

function isUnchanged({ path, stamp }: FoundFile, { read, cached }: IndexedFolder): boolean {
  const reading = read.get(path);
  if (reading !== undefined) return difference(reading, stamp) === "none";
  const row = cached?.rowOf(path);
  return row !== undefined && cached!.isUnchanged(row, stamp);
}

function readingOf({ read, cached }: IndexedFolder, path: string): Reading<Facts> | null {
  const row = cached?.rowOf(path);
  return read.get(path) ?? (row === undefined ? null : cached!.reading(row));
}

/** If the file did not change, the stamp it was found with is that of its reading. */
function transcriptOf({ id, path, stamp }: FoundFile, { read, cached }: IndexedFolder): Transcript {
  const reading = read.get(path);
  const { sizeBytes, modifiedAtMs, bornAtMs } = reading?.stamp ?? stamp;
  return {
    id,
    path,
    sizeBytes,
    modifiedAtMs,
    bornAtMs: bornAtMs > 0 ? bornAtMs : null,
    facts: reading?.value ?? cached!.facts(cached!.rowOf(path)!),
  };
}

function groupedById(transcripts: readonly Transcript[]): Map<SessionId, Transcript[]> {
  const groups = new Map<SessionId, Transcript[]>();
  for (const transcript of transcripts) {
    const group = groups.get(transcript.id);
    if (group === undefined) groups.set(transcript.id, [transcript]);
    else group.push(transcript);
  }
  for (const group of groups.values()) if (group.length > 1) group.sort(byLastWritten);
  return groups;
}

function byLastWritten(a: Transcript, b: Transcript): number {
  return b.modifiedAtMs - a.modifiedAtMs;
}

/** A cache that cannot be written costs time in every run, so it is reported. Nothing else depends on it. */
function saveFolders(
  folders: readonly IndexedFolder[],
  files: readonly FoundFile[],
  options: IndexOptions,
): Problem[] {
  const problems: Problem[] = [];
  for (const folder of folders) {
    if (folder.unsavedBytes < (options.saveAfterBytes ?? limits.transcriptSaveBytes)) continue;
    try {
      saveCache(folder.cacheFile, folder.key, packed(readingsOf(folder, files)));
      folder.unsavedBytes = 0;
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      problems.push({ path: folder.cacheFile, message: (error as Error).message, isAside: true });
    }
  }
  return problems;
}

/** The readings of the files that exist. */
function readingsOf(folder: IndexedFolder, files: readonly FoundFile[]): Readings<Facts> {
  const own = files.filter(({ root }) => root === folder.root);
  return new Map(
    own.flatMap(({ path }) => {
      const reading = readingOf(folder, path);
      return reading === null ? [] : [[path, reading] as const];
    }),
  );
}
