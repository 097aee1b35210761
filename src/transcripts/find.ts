// Finds transcripts with listings and `stat` alone. Each format knows where its files are.
//
// - The files of one session are found without a look at any other file.
// - A missing folder is empty. An unreadable one is a problem, and the rest is still found.

import { lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { errorCode } from "../base/errors.js";
import type { SessionId } from "../names/gates.js";
import type { AgentKind } from "../names/kind.js";
import { type Stamp, stampOf } from "./scan/scan.js";
import type { Facts, Problem, Transcript, TranscriptParser } from "./transcript.js";

/** How the clients of one kind keep their conversations on disk. */
export interface TranscriptFormat {
  /** Whose conversations they are, unless a running agent says more. */
  kind: AgentKind;
  parser: TranscriptParser;
  /** Brings the files up to date first, if the client keeps its conversations in a database (database/mirror.ts). */
  find(folder: string, search: Search): FoundFile[];
  /** The files are made from a database: their birth says nothing about the conversation. */
  isMirrored?: true;
  /** False for a file that its client makes before the first word: it is no conversation yet. */
  isBegun?(facts: Readonly<Facts>): boolean;
  findSessions(folder: string, ids: ReadonlySet<SessionId>, search: Search): FoundFile[];
  /** The folder in which a client continues this conversation; null if its records do not tell. */
  workFolderOf(transcript: WrittenFile): string | null;
  /** Whether a client that is started in this folder finds the conversation. */
  isFoundFrom(transcript: WrittenFile, realCwd: string): boolean;
  /** The titles of the conversations in a folder, if the client keeps them outside the transcripts. */
  titlesIn?(folder: string): ReadonlyMap<SessionId, string>;
  /** Absent if the client does not sort its files into folders by where it was started. */
  folders?: FileFolders;
}

/** The folders that directly hold a client's files. */
export interface FileFolders {
  list(root: string, search: Search): string[];
  /** The session of a file with this name; null for any other file. */
  sessionOf(name: string): SessionId | null;
  /** Whether conversations that begin in the work folder have their files in this one. Others may have theirs here too. */
  isFor(folder: string, workFolder: string): boolean;
}

type WrittenFile = Pick<Transcript, "path" | "facts">;

/** A client's folder. */
export interface Root {
  folder: string;
  format: TranscriptFormat;
}

export interface FoundFile {
  id: SessionId;
  path: string;
  stamp: Stamp;
}

export interface Found {
  files: FoundFile[];
  problems: Problem[];
}

/** One search over all roots. */
export interface Search {
  problems: Problem[];
  /** The real paths of the listed folders: a folder that is reached twice is listed once. */
  listed: Set<string>;
}

export function findTranscripts(roots: readonly Root[]): Found {
  return find(roots, ({ folder, format }, search) => format.find(folder, search));
}

export function findSession(roots: readonly Root[], id: SessionId): Found {
  return findSessions(roots, new Set([id]));
}

/** Of many sessions at once. */
export function findSessions(roots: readonly Root[], ids: ReadonlySet<SessionId>): Found {
  return find(roots, ({ folder, format }, search) => format.findSessions(folder, ids, search));
}

export function newSearch(): Search {
  return { problems: [], listed: new Set() };
}

function find(roots: readonly Root[], ask: (root: Root, search: Search) => FoundFile[]): Found {
  const search = newSearch();
  const files = roots.flatMap((root) => ask(root, search));
  return { files, problems: search.problems };
}

/** Null for a missing path or one that is not a folder; other failures become problems. */
export function look<T>(path: string, { problems }: Search, ask: (path: string) => T): T | null {
  try {
    return ask(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (code !== "ENOENT" && code !== "ENOTDIR") problems.push({ path, message: (error as Error).message });
    return null;
  }
}

/** Follows links. Null if the folder cannot be seen. */
export function folderStamp(folder: string): Stamp | null {
  try {
    return stampOf(statSync(folder));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}

// Named functions: a new function for each of thousands of files takes time.
const ifThere = { throwIfNoEntry: false } as const;
export const listed = (folder: string): string[] => readdirSync(folder);
export const stated = (path: string): Stats | undefined => lstatSync(path, ifThere);
