// The conversations of a client that keeps them in a database, as the files that everything else here reads: one per
// session, with a line per message.
//
// - A look compares the stamp of the database. Only after a change is the database read, and then only the sessions
//   whose version changed. Every caller that finds a session first so finds it up to date.
// - The files lie beside the client's folder, in a folder of ours: `hivemind/` and the name of the client's. They are
//   a cache: they may be removed at any time, and are private.
// - A file is replaced as a whole. If two processes race for it, an older state can stay until the session changes again.

import { lstatSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../../base/errors.js";
import { makeFolder, replaceDisposable } from "../../base/files/atomic-file.js";
import { limits } from "../../limits.js";
import type { SessionId } from "../../names/gates.js";
import { loadCache, saveCache } from "../cache.js";
import type { FoundFile, Search } from "../find.js";
import { stampOf } from "../scan/scan.js";
import { databaseStamp, readSnapshot } from "./snapshot.js";
import type { Database } from "./sqlite.js";

/** How the clients of one kind keep their conversations in a database. */
export interface DatabaseFormat {
  /** Must change whenever the same rows would give other lines. */
  name: string;
  /** The database, in the client's folder. */
  file: string;
  sessions(database: Database): DatabaseSession[];
  /** The session's lines, without line ends. Later lines must not change earlier ones: marks are sizes. */
  linesOf(database: Database, id: SessionId): string[];
}

export interface DatabaseSession {
  id: SessionId;
  /** Differs after every change of the session. */
  version: string;
  title: string | null;
  updatedAtMs: number;
}

export type Mirrored = ReadonlyMap<SessionId, DatabaseSession>;

/** The sessions of a client's folder, with their files up to date. Throws a system error if it cannot be read. */
export function mirrored(folder: string, format: DatabaseFormat): Mirrored {
  const path = join(folder, format.file);
  const now = databaseStamp(path);
  if (now === null) return new Map();
  const place = mirrorFolder(folder);
  const known = seen.get(path) ?? load(place, path, format);
  if (known?.stamp === now.stamp) return known.sessions;
  const lookedAtMs = Date.now();
  const sessions = readSnapshot(path, place, (database) => {
    const all = new Map(format.sessions(database).map((session) => [session.id, session]));
    for (const session of all.values()) {
      if (known?.sessions.get(session.id)?.version === session.version) continue;
      const bytes = bytesOf(format.linesOf(database, session.id));
      write(fileOf(place, session.id), bytes, session.updatedAtMs);
    }
    return all;
  });
  for (const id of known?.sessions.keys() ?? [])
    if (!sessions.has(id)) rmSync(fileOf(place, id), { force: true });
  // A change so shortly before the look may hide another one.
  const isSettled = now.modifiedAtMs + limits.transcriptRacyMs <= lookedAtMs;
  const state = { stamp: isSettled ? now.stamp : "", sessions };
  seen.set(path, state);
  save(place, path, format, state);
  return sessions;
}

/** The files of these sessions; of all, if none are named. An unreadable database is a problem of the search. */
export function findMirrored(
  folder: string,
  format: DatabaseFormat,
  { problems }: Search,
  only?: ReadonlySet<SessionId>,
): FoundFile[] {
  try {
    const sessions = mirrored(folder, format);
    const place = mirrorFolder(folder);
    return [...(only ?? sessions.keys())].flatMap((id): FoundFile[] => {
      const path = fileOf(place, id);
      const stat = sessions.has(id) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
      return stat?.isFile() ? [{ id, path, stamp: stampOf(stat) }] : [];
    });
  } catch (error) {
    problems.push({ path: join(folder, format.file), message: whyUnread(error) });
    return [];
  }
}

/** The library's own errors have no code. Anything else without one is a bug. */
export function whyUnread(error: unknown): string {
  if (error instanceof Error && (errorCode(error) !== undefined || error.name === "SQLite3Error"))
    return error.message;
  throw error;
}

export function mirrorFolder(folder: string): string {
  return join(dirname(folder), "hivemind", basename(folder));
}

interface State {
  stamp: string;
  sessions: Mirrored;
}

/** By the path of the database. */
const seen = new Map<string, State>();

function fileOf(place: string, id: SessionId): string {
  return join(place, `${id}.jsonl`);
}

/** An equal file keeps its inode: nobody reads it again. */
function write(path: string, bytes: Buffer, updatedAtMs: number): void {
  makeFolder(dirname(path));
  if (!isEqual(path, bytes)) replaceDisposable(path, bytes);
  utimesSync(path, updatedAtMs / 1000, updatedAtMs / 1000);
}

/** Valid until the next call. One buffer for all sessions: a thousand of them would stay in memory for long. */
function bytesOf(lines: readonly string[]): Buffer {
  let end = 0;
  for (const line of lines) {
    const needed = end + Buffer.byteLength(line) + 1;
    if (needed > scratch.length) {
      const larger = Buffer.allocUnsafeSlow(2 * needed);
      scratch.copy(larger, 0, 0, end);
      scratch = larger;
    }
    end += scratch.write(line, end);
    scratch[end++] = 0x0a;
  }
  return scratch.subarray(0, end);
}

let scratch = Buffer.alloc(0);

function isEqual(path: string, bytes: Buffer): boolean {
  try {
    return lstatSync(path).size === bytes.length && readFileSync(path).equals(bytes);
  } catch {
    return false;
  }
}

function load(place: string, path: string, { name }: DatabaseFormat): State | null {
  const read = (body: Buffer) =>
    JSON.parse(body.toString("utf8")) as { stamp: string; rows: DatabaseSession[] };
  const found = loadCache(join(place, "sessions"), `${name} ${path}`, read);
  if (found === null) return null;
  return { stamp: found.stamp, sessions: new Map(found.rows.map((row) => [row.id, row])) };
}

function save(place: string, path: string, { name }: DatabaseFormat, { stamp, sessions }: State): void {
  const body = Buffer.from(JSON.stringify({ stamp, rows: [...sessions.values()] }));
  saveCache(join(place, "sessions"), `${name} ${path}`, body);
}
