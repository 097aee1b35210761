// A text in many conversations: which sessions hold it, and where.
//
// [SSR1] What is found is text as it was written, never the JSON around it: what reading every line would find.
// [SSR2] Sessions in the order given; of each the first places, so that a long one does not hide the others.
// [SSR3] It ends when there are enough, or when it is told to; what was found until then stands.
// [SSR4] A file that cannot be read, or not all of it, is a problem of the result, and the others are searched.

import { claudeSaid, textMembers } from "../agents/claude/said.js";
import { type Said, textsIn } from "../agents/said.js";
import { FileRefused } from "../base/atomic-file.js";
import { errorCode, HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import { type Block, newBlock } from "../transcripts/scan.js";
import { searchFile } from "../transcripts/search.js";
import type { Query } from "../transcripts/search-query.js";
import { skippedProblems } from "../transcripts/skipped.js";
import type { Problem } from "../transcripts/transcript.js";
import { managedMessages } from "./conversation.js";
import { type Second, startSecond } from "./search-second.js";
import type { AnySession } from "./session-list.js";

export interface Hit {
  role: Said["role"];
  atMs: number | null;
  kind: Said["blocks"][number]["kind"];
  /** One line each: runs of blanks and line breaks are one blank. */
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
  const second = await startSecond(entries, query);
  try {
    return await searchInTurn(entries, query, options, second);
  } finally {
    second?.stop();
  }
}

async function searchInTurn(
  entries: readonly AnySession[],
  query: Query,
  options: SearchOptions,
  second: Second | null,
): Promise<SearchResult> {
  const block = newBlock();
  const result: SearchResult = { found: [], searched: 0, ended: null, problems: [] };
  const totalBytes = entries.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);
  let left = options.most;
  let doneBytes = 0;
  let pauseAtMs = performance.now() + limits.transcriptStretchMs;
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
  return result;
}

/** All places in one message. */
export function hitsIn(said: Said, { pattern }: Query): Hit[] {
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

/** How many lines could not be looked at. */
function searchOne(into: SessionHits, query: Query, most: number, block: Block): number {
  const add = (said: Said | null): boolean => {
    if (said !== null) into.hits.push(...hitsIn(said, query));
    if (into.hits.length <= most) return true;
    into.hits.length = most;
    into.isCut = true;
    return false;
  };
  const { entry } = into;
  if (entry.path === null) return 0;
  if (entry.store === "transcripts")
    return searchFile(entry.path, { query, textMembers, onLine: (line) => add(claudeSaid(line)) }, block);
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

/** Not between the halves of one character. */
function whole(text: string, at: number): number {
  return /^[\udc00-\udfff]/.test(text.slice(at, at + 1)) ? at + 1 : at;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
