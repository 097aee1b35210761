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
import { loadRows, type Readings, saveRows } from "./cache.js";
import { type FoundFile, findTranscripts } from "./find.js";
import type { Kin } from "./kin.js";
import { readKinship } from "./kinship.js";
import { difference, type Reading } from "./scan.js";
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
  readings: Readings<Facts>;
  /** Read since the cache was written. */
  unsavedBytes: number;
}

function openShelf(root: string, { cacheDir, parser }: IndexOptions): Shelf {
  const cacheFile = join(cacheDir, `transcripts-${fingerprint(root)}.json`);
  const key = `${parser.name} ${root}`;
  return { root, cacheFile, key, readings: loadRows(cacheFile, key), unsavedBytes: 0 };
}

async function refresh(shelves: readonly Shelf[], options: IndexOptions): Promise<Index> {
  const { files, problems } = findTranscripts(shelves.map(({ root }) => root));
  const shelfOf = new Map(shelves.map((shelf) => [shelf.root, shelf]));
  const jobs: ScanJob<Facts>[] = [];
  for (const { root, path, stamp } of files) {
    const before = shelfOf.get(root)!.readings.get(path) ?? null;
    if (before === null || difference(before, stamp) !== "none") {
      jobs.push({ path, sizeBytes: stamp.sizeBytes, before });
    }
  }
  const kind = { empty: noFacts, addLines: options.parser.addFacts };
  const outcomes = await scanAll(jobs, kind, { ...options, worker: options.parser.worker });

  const transcripts: Transcript[] = [];
  const fresh = new Map(shelves.map((shelf) => [shelf.root, new Map() as Readings<Facts>]));
  let bytesRead = 0;
  for (const file of files) {
    const shelf = shelfOf.get(file.root)!;
    const outcome = outcomes.get(file.path);
    const reading = outcome === undefined ? shelf.readings.get(file.path) : outcome.scanned?.reading;
    if (outcome?.problem) problems.push(outcome.problem);
    if (reading === undefined) continue;
    fresh.get(file.root)!.set(file.path, reading);
    transcripts.push(transcriptOf(file, reading));
    bytesRead += outcome?.scanned?.bytesRead ?? 0;
    shelf.unsavedBytes += outcome?.scanned?.bytesRead ?? 0;
  }
  for (const shelf of shelves) shelf.readings = fresh.get(shelf.root)!;
  if (jobs.length > 0) problems.push(...saveShelves(shelves, options));
  return { transcripts, byId: groupedById(transcripts), problems, bytesRead };
}

function transcriptOf({ id, path }: FoundFile, reading: Reading<Facts>): Transcript {
  const { sizeBytes, modifiedAtMs, bornAtMs } = reading.stamp;
  return {
    id,
    path,
    sizeBytes,
    modifiedAtMs,
    bornAtMs: bornAtMs > 0 ? bornAtMs : null,
    facts: reading.value,
  };
}

function groupedById(transcripts: readonly Transcript[]): Map<SessionId, Transcript[]> {
  const groups = new Map<SessionId, Transcript[]>();
  for (const transcript of transcripts) {
    const group = groups.get(transcript.id);
    if (group === undefined) groups.set(transcript.id, [transcript]);
    else group.push(transcript);
  }
  for (const group of groups.values()) group.sort((a, b) => b.modifiedAtMs - a.modifiedAtMs);
  return groups;
}

/** A cache that cannot be written costs time at every run, so it is said; nothing else depends on it. */
function saveShelves(shelves: readonly Shelf[], options: IndexOptions): Problem[] {
  const problems: Problem[] = [];
  for (const shelf of shelves) {
    if (shelf.unsavedBytes < (options.saveAfterBytes ?? limits.transcriptSaveBytes)) continue;
    try {
      saveRows(shelf.cacheFile, shelf.key, shelf.readings);
      shelf.unsavedBytes = 0;
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      problems.push({ path: shelf.cacheFile, message: (error as Error).message });
    }
  }
  return problems;
}
