// The index over every transcript of some config folders: what identity, context and lists stand on.
//
// [JI1] After `refresh` the index is what reading every file from its first byte would give.
// [JI2] A file that did not change is not opened.
// [JI3] A file that cannot be read is a problem of the result; the others are indexed.
// [JI4] An index that was handed out never changes: a refresh makes a new one.

import { join } from "node:path";
import { errorCode } from "../base/errors.js";
import { limits } from "../limits.js";
import { fingerprint } from "../names/fingerprint.js";
import type { SessionId } from "../names/gates.js";
import { loadKept, type Readings, saveKept } from "./cache.js";
import { type Columns, packed, unpacked } from "./columns.js";
import { type FoundFile, findTranscripts } from "./find.js";
import type { Kin } from "./kin.js";
import { readKinship } from "./kinship.js";
import { difference, type Reading, type Seen } from "./scan.js";
import { type Progress, type ScanJob, scanAll } from "./scan-all.js";
import { type Facts, noFacts, type Problem, type Transcript, type TranscriptParser } from "./transcript.js";

export interface Index {
  transcripts: readonly Transcript[];
  /** Last written first: one id may have files under several folders. */
  byId: ReadonlyMap<SessionId, readonly Transcript[]>;
  problems: readonly Problem[];
  bytesRead: number;
}

export interface IndexOptions {
  /** The clients' config folders: transcripts lie under `projects/` in each. */
  roots: readonly string[];
  cacheDir: string;
  parser: TranscriptParser;
  onProgress?: (progress: Progress) => void;
  /** How much must have been read before the cache is written again. */
  saveAfterBytes?: number;
  /** How much there must be to read before a second thread is started. */
  workerFromBytes?: number;
}

export interface TranscriptIndex {
  refresh(): Promise<Index>;
  /** Who came from whom among the transcripts, by the messages they share: a second pass, with a cache of its own. */
  kinship(index: Pick<Index, "transcripts" | "byId">): Promise<ReadonlyMap<SessionId, Kin>>;
}

export function openIndex(options: IndexOptions): TranscriptIndex {
  let shelves: readonly Shelf[] | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  return {
    refresh() {
      shelves ??= [...new Set(options.roots)].map((root) => openShelf(root, options));
      const known = shelves;
      const next = turn.then(() => refresh(known, options));
      turn = next.catch(() => {});
      return next;
    },
    kinship: (index) => readKinship(index, options),
  };
}

/** What is known of one config folder. */
interface Shelf {
  root: string;
  cacheFile: string;
  key: string;
  /** What the cache had. */
  kept: Columns | null;
  /** What was read since: it counts before what is kept. */
  read: Readings<Facts>;
  /** Read since the cache was written. */
  unsavedBytes: number;
}

function openShelf(root: string, { cacheDir, parser }: IndexOptions): Shelf {
  const cacheFile = join(cacheDir, `transcripts-${fingerprint(root)}`);
  const key = `${parser.name} ${root}`;
  const kept = loadKept(cacheFile, key, unpacked);
  return { root, cacheFile, key, kept, read: new Map(), unsavedBytes: 0 };
}

async function refresh(shelves: readonly Shelf[], options: IndexOptions): Promise<Index> {
  const { files, problems } = findTranscripts(shelves.map(({ root }) => root));
  const shelfOf = new Map(shelves.map((shelf) => [shelf.root, shelf]));
  const jobs: ScanJob<Facts>[] = [];
  for (const { root, path, stamp } of files) {
    const shelf = shelfOf.get(root)!;
    const seen = seenBefore(shelf, path);
    if (seen !== null && difference(seen, stamp) === "none") continue;
    jobs.push({ path, sizeBytes: stamp.sizeBytes, before: readingOf(shelf, path) });
  }
  const kind = { empty: noFacts, addLines: options.parser.addFacts };
  const outcomes = await scanAll(jobs, kind, { ...options, worker: options.parser.worker });

  const transcripts: Transcript[] = [];
  let bytesRead = 0;
  for (const file of files) {
    const shelf = shelfOf.get(file.root)!;
    const outcome = outcomes.get(file.path);
    if (outcome?.problem) problems.push({ ...outcome.problem, modifiedAtMs: file.stamp.modifiedAtMs });
    if (outcome?.scanned) {
      shelf.read.set(file.path, outcome.scanned.reading);
      shelf.unsavedBytes += outcome.scanned.bytesRead;
      bytesRead += outcome.scanned.bytesRead;
    }
    const isKnown = outcome === undefined || outcome.scanned !== null;
    if (isKnown) transcripts.push(transcriptOf(file, shelf));
  }
  if (jobs.length > 0) problems.push(...saveShelves(shelves, files, options));
  return { transcripts, byId: groupedById(transcripts), problems, bytesRead };
}

function seenBefore({ read, kept }: Shelf, path: string): Seen | null {
  const row = kept?.rowOf(path);
  return read.get(path) ?? (row === undefined ? null : kept!.seen(row));
}

function readingOf({ read, kept }: Shelf, path: string): Reading<Facts> | null {
  const row = kept?.rowOf(path);
  return read.get(path) ?? (row === undefined ? null : kept!.reading(row));
}

/** Of a file that did not change since, the stamp it was found with is that of its reading. */
function transcriptOf({ id, path, stamp }: FoundFile, { read, kept }: Shelf): Transcript {
  const reading = read.get(path);
  const { sizeBytes, modifiedAtMs, bornAtMs } = reading?.stamp ?? stamp;
  return {
    id,
    path,
    sizeBytes,
    modifiedAtMs,
    bornAtMs: bornAtMs > 0 ? bornAtMs : null,
    facts: reading?.value ?? kept!.facts(kept!.rowOf(path)!),
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

/** A cache that cannot be written costs time at every run, so it is said; nothing else depends on it. */
function saveShelves(
  shelves: readonly Shelf[],
  files: readonly FoundFile[],
  options: IndexOptions,
): Problem[] {
  const problems: Problem[] = [];
  for (const shelf of shelves) {
    if (shelf.unsavedBytes < (options.saveAfterBytes ?? limits.transcriptSaveBytes)) continue;
    try {
      saveKept(shelf.cacheFile, shelf.key, packed(readingsOf(shelf, files)));
      shelf.unsavedBytes = 0;
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      problems.push({ path: shelf.cacheFile, message: (error as Error).message, isAside: true });
    }
  }
  return problems;
}

/** Of the files that are there. */
function readingsOf(shelf: Shelf, files: readonly FoundFile[]): Readings<Facts> {
  const own = files.filter(({ root }) => root === shelf.root);
  return new Map(
    own.flatMap(({ path }) => {
      const reading = readingOf(shelf, path);
      return reading === null ? [] : [[path, reading] as const];
    }),
  );
}
