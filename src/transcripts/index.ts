// The index of every transcript in some config folders. Identity, context and lists are built on it.
//
// - After `refresh` the index equals what reading every file from its first byte would give.
// - An unchanged file is not opened.
// - An unreadable file is a problem of the result; the others are indexed.
// - A returned index never changes: a refresh makes a new one.

import { errorCode } from "../base/errors.js";
import { groupBy } from "../base/group-by.js";
import { once } from "../base/once.js";
import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import { newSearch, type Root } from "./find.js";
import {
  type FileIn,
  filesIn,
  type IndexedFolder,
  isUnchanged,
  openFolder,
  readingOf,
  saveFolders,
  transcriptOf,
} from "./indexed-folder.js";
import type { MessageParent } from "./lineage/parent-by-messages.js";
import { readParents } from "./lineage/parent-cache.js";
import { newestFirst, newestRead } from "./newest-read.js";
import { type Progress, type ScanJob, type ScanOutcome, scanAll, scanKinds } from "./scan/scan-all.js";
import type { Facts, Problem, Transcript } from "./transcript.js";

export interface Index {
  transcripts: readonly Transcript[];
  /** Last written first: one id may have files in several folders. */
  byId: ReadonlyMap<SessionId, readonly Transcript[]>;
  problems: readonly Problem[];
  bytesRead: number;
  /** When the first file was looked at. */
  lookedAtMs?: number;
}

export interface IndexOptions {
  roots: readonly Root[];
  cacheDir: string;
  onProgress?: (progress: ReadingProgress) => void;
  /** How many bytes must have been read before the cache is written again. */
  saveAfterBytes?: number;
  /** From how many bytes on a second thread is started. */
  workerFromBytes?: number;
}

export interface ReadingProgress extends Progress {
  /** The newest transcripts, newest first, as far as all newer ones are read too. */
  newest(): Iterable<Transcript>;
}

export interface TranscriptIndex {
  /** `only`: the index of these sessions, which equals their part of the whole one. */
  refresh(only?: ReadonlySet<SessionId>): Promise<Index>;
  /** The parents of transcripts, from the messages they share: a second pass, with its own cache. */
  kinship(
    index: Pick<Index, "transcripts" | "byId" | "lookedAtMs">,
  ): Promise<ReadonlyMap<SessionId, MessageParent>>;
}

export function openIndex(options: IndexOptions): TranscriptIndex {
  let folders: readonly IndexedFolder[] | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  return {
    refresh(only) {
      const needed = only === undefined ? "most" : "few";
      folders ??= options.roots.map((root) => openFolder(root, options.cacheDir, needed));
      const known = folders;
      const next = turn.then(() => refresh(known, options, only));
      turn = next.catch(() => {});
      return next;
    },
    kinship: (index) => kinship(index, options),
  };
}

async function refresh(
  folders: readonly IndexedFolder[],
  options: IndexOptions,
  only?: ReadonlySet<SessionId>,
): Promise<Index> {
  const lookedAtMs = Date.now();
  const search = newSearch();
  const { problems } = search;
  const files = folders.flatMap((folder) => {
    const { format, folder: place } = folder.root;
    const found = only === undefined ? format.find(place, search) : format.findSessions(place, only, search);
    return filesIn(folder, found);
  });
  const outcomes = await scanChanged(files, options);
  const titles = new Map(folders.map(({ root }) => [root, titlesOf(root, problems)]));
  const transcripts: Transcript[] = [];
  let bytesRead = 0;
  for (const file of files) {
    const { folder } = file;
    const outcome = outcomes.get(file.path);
    if (outcome?.problem) problems.push({ ...outcome.problem, modifiedAtMs: file.stamp.modifiedAtMs });
    if (outcome?.scanned) {
      folder.read.set(file.path, outcome.scanned.reading);
      folder.unsavedBytes += outcome.scanned.bytesRead;
      bytesRead += outcome.scanned.bytesRead;
    }
    const isKnown = outcome === undefined || outcome.scanned !== null;
    const transcript = isKnown ? transcriptOf(file) : null;
    if (transcript === null || !isBegun(transcript, folder)) continue;
    transcripts.push(withTitle(transcript, titles.get(folder.root)));
  }
  const { saveAfterBytes = limits.transcriptSaveBytes } = options;
  if (outcomes.size > 0)
    problems.push(...saveFolders(folders, only === undefined ? files : null, saveAfterBytes));
  return { transcripts, byId: groupedById(transcripts), problems, bytesRead, lookedAtMs };
}

/** Whether a person would call it a conversation. */
function isBegun({ facts }: Transcript, { root }: IndexedFolder): boolean {
  return !facts.isSubAgent && (root.format.isBegun?.(facts) ?? true);
}

type Outcomes = Map<string, ScanOutcome<Facts>>;

/** One format after the other, each in the order of the list, so that the beginning of the list is known first. */
async function scanChanged(files: readonly FileIn[], options: IndexOptions): Promise<Outcomes> {
  const outcomes: Outcomes = new Map();
  const changed = newestFirst(files.filter((file) => !isUnchanged(file)));
  const newest = once(() => newestFirst(files));
  const waiting = new Set(changed.map(({ path }) => path));
  for (const [parser, own] of groupBy(changed, ({ folder }) => folder.root.format.parser)) {
    const jobs = own.map(({ folder, path, stamp: { sizeBytes } }): ScanJob<Facts> => {
      return { path, sizeBytes, before: readingOf(folder, path) };
    });
    const scanned = await scanAll(jobs, scanKinds(parser).facts, {
      worker: parser.worker,
      workerFromBytes: options.workerFromBytes,
      onProgress: (progress, soFar) => {
        const read = (file: FileIn) => {
          const outcome = soFar.get(file.path) ?? outcomes.get(file.path);
          if (outcome === undefined && waiting.has(file.path)) return undefined;
          return outcome === undefined || outcome.scanned !== null
            ? transcriptOf(file, outcome?.scanned?.reading)
            : null;
        };
        options.onProgress?.({ ...progress, newest: () => newestRead(newest(), read) });
      },
    });
    for (const [path, outcome] of scanned) outcomes.set(path, outcome);
  }
  return outcomes;
}

/** Only copies of one format share messages. */
async function kinship(
  { transcripts, ...index }: Pick<Index, "transcripts" | "byId" | "lookedAtMs">,
  { roots, ...options }: IndexOptions,
): Promise<ReadonlyMap<SessionId, MessageParent>> {
  const parents = new Map<SessionId, MessageParent>();
  for (const { kind, parser } of new Set(roots.map(({ format }) => format))) {
    if (parser.addChain === undefined) continue;
    const own = transcripts.filter((each) => each.kind === kind);
    for (const [child, parent] of await readParents({ ...index, transcripts: own }, { ...options, parser }))
      parents.set(child, parent);
  }
  return parents;
}

function titlesOf({ folder, format }: Root, problems: Problem[]): ReadonlyMap<SessionId, string> | undefined {
  try {
    return format.titlesIn?.(folder);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    problems.push({ path: folder, message: (error as Error).message, isAside: true });
    return undefined;
  }
}

/** A name can change without a change of the transcript, so it is never cached. */
function withTitle(transcript: Transcript, titles: ReadonlyMap<SessionId, string> | undefined): Transcript {
  const title = titles?.get(transcript.id);
  if (title === undefined) return transcript;
  // Facts of the cache are read on demand: a copy would read them all.
  return { ...transcript, facts: Object.create(transcript.facts, { title: { value: title } }) };
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
