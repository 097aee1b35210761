// The index of every transcript in some config folders. Identity, context and lists are built on it.
//
// - After `refresh` the index equals what reading every file from its first byte would give.
// - An unchanged file is not opened.
// - An unreadable file is a problem of the result; the others are indexed.
// - A returned index never changes: a refresh makes a new one.
// - `refreshFor` looks at a part of the files, where that is certain to be enough (work-folder.ts).

import { errorCode } from "../base/errors.js";
import { groupBy } from "../base/group-by.js";
import { once } from "../base/once.js";
import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import type { Needed } from "./columns.js";
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
import { hasOtherTies } from "./lineage/kin-groups.js";
import type { MessageParent } from "./lineage/parent-by-messages.js";
import { readParents } from "./lineage/parent-cache.js";
import { newestFirst, newestRead } from "./newest-read.js";
import { type Progress, type ScanJob, type ScanOutcome, scanAll, scanKinds } from "./scan/scan-all.js";
import type { Facts, Problem, Transcript } from "./transcript.js";
import { hasParts, loadPart, savePart, type WorkFolderList, type WorkFolderPart } from "./work-folder.js";

export interface Index {
  transcripts: readonly Transcript[];
  /** Last written first: one id may have files in several folders. */
  byId: ReadonlyMap<SessionId, readonly Transcript[]>;
  problems: readonly Problem[];
  bytesRead: number;
  /** When the first file was looked at. */
  lookedAtMs?: number;
  /** Set if some files were not looked at, because the question did not need them. */
  part?: Part;
}

/** A part of the transcripts that is cached on its own. */
export interface Part {
  name: string;
  version: number;
  /** No file changed since this version was cached. */
  isUnchanged: boolean;
}

/** What the parents of transcripts are computed from. */
export type KinIndex = Pick<Index, "transcripts" | "byId" | "lookedAtMs"> & { part?: Part | undefined };

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
  /** An index that has at least what a list of one work folder needs. */
  refreshFor(list: WorkFolderList): Promise<Index>;
  /** The parents of transcripts, from the messages they share: a second pass, with its own cache. */
  kinship(index: KinIndex): Promise<ReadonlyMap<SessionId, MessageParent>>;
}

export function openIndex(options: IndexOptions): TranscriptIndex {
  let folders: readonly IndexedFolder[] | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (needed: Needed, look: (folders: readonly IndexedFolder[]) => Promise<Index>) => {
    folders ??= options.roots.map((root) => openFolder(root, options.cacheDir, needed));
    const known = folders;
    const next = turn.then(() => look(known));
    turn = next.catch(() => {});
    return next;
  };
  return {
    refresh: (only) =>
      inTurn(only === undefined ? "most" : "few", async (known) => (await look(known, options, only)).index),
    refreshFor: (list) => inTurn("most", (known) => refreshFor(known, options, list)),
    kinship: (index) => kinship(index, options),
  };
}

/** `isWhole`: every file and folder was read. */
async function look(
  folders: readonly IndexedFolder[],
  options: IndexOptions,
  only?: ReadonlySet<SessionId>,
): Promise<{ index: Index; files: readonly FileIn[]; isWhole: boolean }> {
  const lookedAtMs = Date.now();
  const search = newSearch();
  const files = folders.flatMap((folder) => {
    const { format, folder: place } = folder.root;
    const found = only === undefined ? format.find(place, search) : format.findSessions(place, only, search);
    return filesIn(folder, found);
  });
  const outcomes = await scanChanged(files, options);
  const index = indexOf(folders, files, outcomes, search.problems, lookedAtMs);
  const isWhole = index.problems.length === 0 && [...outcomes.values()].every(isRead);
  if (outcomes.size > 0)
    index.problems.push(...saveFolders(folders, only === undefined ? files : null, saveAfter(options)));
  return { index, files, isWhole };
}

async function refreshFor(
  folders: readonly IndexedFolder[],
  options: IndexOptions,
  list: WorkFolderList,
): Promise<Index> {
  const part = await partFor(folders, options, list);
  if (part !== null) return part;
  const { index, files, isWhole } = await look(folders, options);
  if (!isWhole) return index;
  const roots = folders.map(({ root }) => root).filter(hasParts);
  const own = files.filter(({ folder }) => hasParts(folder.root));
  const problems = savePart(roots, options.cacheDir, list, own, index.lookedAtMs!);
  return { ...index, problems: [...index.problems, ...problems] };
}

async function partFor(
  folders: readonly IndexedFolder[],
  options: IndexOptions,
  list: WorkFolderList,
): Promise<Index | null> {
  const lookedAtMs = Date.now();
  const search = newSearch();
  const roots = folders.map(({ root }) => root).filter(hasParts);
  const part = loadPart(roots, options.cacheDir, list, search);
  if (part === null) return null;
  const others = folders.filter(({ root }) => !hasParts(root));
  const files = [
    ...part.files,
    ...others.flatMap((folder) => filesIn(folder, folder.root.format.find(folder.root.folder, search))),
  ];
  const outcomes = await scanChanged(files, options);
  if (!areStillEnough(part, outcomes, saveAfter(options))) return null;
  const index = indexOf([...part.folders, ...others], files, outcomes, search.problems, lookedAtMs);
  if (outcomes.size > 0) index.problems.push(...saveFolders(others, null, saveAfter(options)));
  return { ...index, part: { name: part.name, version: part.version, isUnchanged: outcomes.size === 0 } };
}

/** Whether no change related a transcript to others. After many changes the caches are written again. */
function areStillEnough({ files }: WorkFolderPart, outcomes: Outcomes, afterBytes: number): boolean {
  let bytesRead = 0;
  for (const { folder, path, row } of files) {
    const outcome = outcomes.get(path);
    if (outcome === undefined) continue;
    if (!isRead(outcome)) return false;
    const { reading, bytesRead: own } = outcome.scanned!;
    if (hasOtherTies(folder.cached()!.facts(row!), reading.value)) return false;
    bytesRead += own;
  }
  return bytesRead < afterBytes;
}

function isRead({ scanned, problem }: ScanOutcome<Facts>): boolean {
  return scanned !== null && problem === null;
}

/** After how many bytes the cache is written again. */
function saveAfter({ saveAfterBytes = limits.transcriptSaveBytes }: IndexOptions): number {
  return saveAfterBytes;
}

/** The facts of these files, as they were read now or before. */
function indexOf(
  folders: readonly IndexedFolder[],
  files: readonly FileIn[],
  outcomes: Outcomes,
  problems: Problem[],
  lookedAtMs: number,
): Index & { problems: Problem[] } {
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
  { transcripts, part, ...index }: KinIndex,
  { roots, ...options }: IndexOptions,
): Promise<ReadonlyMap<SessionId, MessageParent>> {
  const parents = new Map<SessionId, MessageParent>();
  for (const { kind, parser, folders } of new Set(roots.map(({ format }) => format))) {
    if (parser.addChain === undefined) continue;
    const own = transcripts.filter((each) => each.kind === kind);
    const asked = { ...index, transcripts: own, part: folders === undefined ? undefined : part };
    for (const [child, parent] of await readParents(asked, { ...options, parser }))
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
