// Scans many files, with one buffer per thread. Reading is a fifth of the work and not worth its own thread; a
// second thread that does the same work halves the time.
//
// Every file gets one outcome: if the second thread fails, the first one does its share. The event loop gets its
// turn in between, and progress is reported there.

import { availableParallelism } from "node:os";
import { errorCode } from "../../base/errors.js";
import { FileRefused } from "../../base/files/atomic-file.js";
import { once } from "../../base/once.js";
import { limits } from "../../limits.js";
import {
  type Chain,
  type Facts,
  noChain,
  noFacts,
  type Problem,
  type TranscriptParser,
} from "../transcript.js";
import { blockIn, type Kind, newBlock, type Reading, type Scanned, scanFile } from "./scan.js";
import { isThreadKept, secondThread } from "./second-thread.js";
import { openSimd } from "./simd-block.js";

export interface ScanJob<T> {
  path: string;
  sizeBytes: number;
  before: Reading<T> | null;
}

/** `scanned` and `problem` are both null for a file that no longer exists. */
export interface ScanOutcome<T> {
  path: string;
  scanned: Scanned<T> | null;
  problem: Problem | null;
}

export interface Progress {
  doneFiles: number;
  totalFiles: number;
  doneBytes: number;
  totalBytes: number;
}

export interface ScanOptions<T> {
  /** Also receives the outcomes so far. */
  onProgress?: ((progress: Progress, outcomes: ReadonlyMap<string, ScanOutcome<T>>) => void) | undefined;
  /** The program of the second thread, and from how many bytes on to start it. */
  worker?: URL | undefined;
  workerFromBytes?: number | undefined;
}

/** What is read out of transcripts. The name tells the second thread which of them. */
export interface NamedKind<T> extends Kind<T> {
  name: "facts" | "chain";
}

export function scanKinds({ addFacts, addChain }: TranscriptParser) {
  const facts: NamedKind<Facts> = { name: "facts", empty: noFacts, addLines: addFacts };
  const chain: NamedKind<Chain> = { name: "chain", empty: noChain, addLines: addChain ?? (() => {}) };
  return { facts, chain };
}

/** The work of the second thread. */
export interface ScanOrder<T> {
  reads: NamedKind<T>["name"];
  jobs: readonly ScanJob<T>[];
  share: Share;
}

/** Some of its results, a few at a time: all of them at once would be in memory several times. */
export interface ScanReport<T> {
  outcomes: ScanOutcome<T>[];
  isLast: boolean;
}

/** Shared by the threads: the number of the next job, and the bytes done. */
export type Share = BigInt64Array;
const [nextJob, doneFiles, doneBytes] = [0, 1, 2];

export async function scanAll<T>(
  jobs: readonly ScanJob<T>[],
  kind: NamedKind<T>,
  { onProgress, worker, workerFromBytes = limits.transcriptWorkerBytes }: ScanOptions<T> = {},
): Promise<ReadonlyMap<string, ScanOutcome<T>>> {
  // The usual case: nothing changed. The code below loads parts of node that take as long as all the rest.
  if (jobs.length === 0) return new Map();
  const outcomes = new Map<string, ScanOutcome<T>>();
  const add = (outcome: ScanOutcome<T>) => void outcomes.set(outcome.path, outcome);
  const share: Share = new BigInt64Array(new SharedArrayBuffer(24));
  const totalBytes = jobs.reduce((sum, job) => sum + newBytes(job), 0);
  const tell = () => {
    const [files, bytes] = [Atomics.load(share, doneFiles), Atomics.load(share, doneBytes)];
    const done = { doneFiles: Number(files), doneBytes: Number(bytes) };
    onProgress?.({ ...done, totalFiles: jobs.length, totalBytes }, outcomes);
  };
  const isKept = worker !== undefined && isThreadKept(worker);
  const enoughBytes = isKept ? limits.transcriptKeptWorkerBytes : workerFromBytes;
  const isLarge = totalBytes >= enoughBytes && availableParallelism() > 1;
  const order: ScanOrder<T> = { reads: kind.name, jobs, share };
  const second = worker !== undefined && isLarge ? await secondThread(worker, order, add) : null;

  let pauseAtMs = performance.now() + limits.transcriptStretchMs;
  for (const outcome of scanShare(jobs, kind, share)) {
    add(outcome);
    if (performance.now() < pauseAtMs) continue;
    tell();
    await new Promise((resolve) => setImmediate(resolve));
    pauseAtMs = performance.now() + limits.transcriptStretchMs;
  }
  await second?.ended;
  for (const job of jobs) {
    if (!outcomes.has(job.path)) add(scanOne(job, kind));
  }
  if (jobs.length > 0) tell();
  return outcomes;
}

/** Takes the next free file until there is none. */
export function* scanShare<T>(
  jobs: readonly ScanJob<T>[],
  kind: Kind<T>,
  share: Share,
): Generator<ScanOutcome<T>> {
  for (;;) {
    const job = jobs[Number(Atomics.add(share, nextJob, 1n))];
    if (job === undefined) return;
    const outcome = scanOne(job, kind);
    Atomics.add(share, doneFiles, 1n);
    Atomics.add(share, doneBytes, BigInt(newBytes(job)));
    yield outcome;
  }
}

/** One for each thread and all its scans. */
const block = once(() => {
  const simd = openSimd();
  return simd === null ? newBlock() : blockIn(simd.block);
});

function scanOne<T>(job: ScanJob<T>, kind: Kind<T>): ScanOutcome<T> {
  try {
    return { path: job.path, scanned: scanFile(job.path, job.before, kind, block()), problem: null };
  } catch (error) {
    if (errorCode(error) === undefined && !(error instanceof FileRefused)) throw error;
    return { path: job.path, scanned: null, problem: { path: job.path, message: (error as Error).message } };
  }
}

function newBytes<T>({ sizeBytes, before }: ScanJob<T>): number {
  return Math.max(0, sizeBytes - (before?.offset ?? 0));
}
