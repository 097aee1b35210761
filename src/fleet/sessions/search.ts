// Searches many conversations for a text: which sessions contain it, and where.
//
// - Finds text as it was written, never the JSON around it: the same as parsing every line would.
// - Sessions come in the given order, each with its first matches, so that a long one does not hide the others.
// - Ends when there are enough matches or when interrupted; the matches until then are returned.
// - A file that cannot be read, or not fully, is a problem in the result. The others are searched.

import { spokenLines } from "../../agents/all.js";
import { textsIn, type Utterance } from "../../agents/utterance.js";
import { errorCode, HiveError } from "../../base/errors.js";
import { FileRefused } from "../../base/files/atomic-file.js";
import { limits } from "../../limits.js";
import { type Block, newBlock } from "../../transcripts/scan/scan.js";
import { skippedProblems } from "../../transcripts/scan/skipped.js";
import type { Query } from "../../transcripts/search/query.js";
import { searchFile } from "../../transcripts/search/search.js";
import type { Problem } from "../../transcripts/transcript.js";
import { managedMessages } from "./conversation.js";
import { startSearchThread } from "./search-thread.js";
import type { AnySession } from "./session-list.js";

export interface Hit {
  role: Utterance["role"];
  atMs: number | null;
  kind: Utterance["blocks"][number]["kind"];
  /** One line each: runs of blanks and line breaks become one blank. */
  before: string;
  match: string;
  after: string;
}

export interface SessionHits {
  entry: AnySession;
  hits: Hit[];
  /** There may be more in this session. */
  isCut: boolean;
}

export interface SearchOptions {
  most: number;
  perSession: number;
  signal?: AbortSignal;
  onFound?: (found: SessionHits) => void;
  onProgress?: (progress: { doneBytes: number; totalBytes: number }) => void;
}

export interface SearchResult {
  found: SessionHits[];
  searched: number;
  /** Why it ended before the last session. */
  ended: "enough" | "interrupted" | null;
  problems: Problem[];
}

export async function searchSessions(
  entries: readonly AnySession[],
  query: Query,
  options: SearchOptions,
): Promise<SearchResult> {
  const second = await startSearchThread(entries, query);
  const block = newBlock();
  const result: SearchResult = { found: [], searched: 0, ended: null, problems: [] };
  const totalBytes = entries.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);
  let left = options.most;
  let doneBytes = 0;
  let pauseAtMs = performance.now() + limits.transcriptStretchMs;
  try {
    for (const [place, entry] of entries.entries()) {
      if (left <= 0) result.ended = "enough";
      if (options.signal?.aborted) result.ended = "interrupted";
      if (result.ended !== null) break;
      const found: SessionHits = { entry, hits: [], isCut: false };
      const mayHold = (await second?.mayHold(place)) ?? true;
      const most = Math.min(left, options.perSession);
      if (mayHold) tried(entry, result.problems, () => searchOne(found, query, most, block));
      result.searched++;
      left -= found.hits.length;
      if (found.hits.length > 0) {
        result.found.push(found);
        options.onFound?.(found);
      }
      doneBytes += entry.sizeBytes ?? 0;
      if (performance.now() < pauseAtMs) continue;
      options.onProgress?.({ doneBytes, totalBytes });
      await new Promise((resolve) => setImmediate(resolve));
      pauseAtMs = performance.now() + limits.transcriptStretchMs;
    }
  } finally {
    second?.stop();
  }
  return result;
}

/** All matches in one message. */
export function hitsIn(said: Utterance, { pattern }: Query): Hit[] {
  return said.blocks.flatMap((block) =>
    textsIn(block).flatMap((text) =>
      [...text.matchAll(pattern)].map((match) => ({
        role: said.role,
        atMs: said.atMs,
        kind: block.kind,
        ...snippet(text, match.index, match[0].length),
      })),
    ),
  );
}

/** Returns how many lines could not be read. */
function searchOne(into: SessionHits, query: Query, most: number, block: Block): number {
  const add = (said: Utterance | null): boolean => {
    if (said !== null) into.hits.push(...hitsIn(said, query));
    if (into.hits.length <= most) return true;
    into.hits.length = most;
    into.isCut = true;
    return false;
  };
  const { entry } = into;
  if (entry.path === null) return 0;
  const { readUtterance, textMembers } = spokenLines(entry.agent);
  if (entry.store === "transcripts")
    return searchFile(entry.path, { query, textMembers, onLine: (line) => add(readUtterance(line)) }, block);
  managedMessages(entry).every(add);
  return 0;
}

function tried(entry: AnySession, problems: Problem[], search: () => number): void {
  try {
    problems.push(...skippedProblems(entry.path ?? entry.id, search()));
  } catch (error) {
    const isForeign = error instanceof FileRefused || error instanceof HiveError;
    if (!isForeign && errorCode(error) === undefined) throw error;
    problems.push({ path: entry.path ?? entry.id, message: (error as Error).message });
  }
}

function snippet(text: string, at: number, length: number): Pick<Hit, "before" | "match" | "after"> {
  const room = limits.searchContextLength;
  const [start, end] = [
    whole(text, Math.max(0, at - room)),
    whole(text, Math.min(text.length, at + length + room)),
  ];
  return {
    before: (start > 0 ? "…" : "") + oneLine(text.slice(start, at)).trimStart(),
    match: oneLine(text.slice(at, at + length)),
    after: oneLine(text.slice(at + length, end)).trimEnd() + (end < text.length ? "…" : ""),
  };
}

/** Avoids cutting between the halves of a surrogate pair. */
function whole(text: string, at: number): number {
  return /^[\udc00-\udfff]/.test(text.slice(at, at + 1)) ? at + 1 : at;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
