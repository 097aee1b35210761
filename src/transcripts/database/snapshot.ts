// Reads a database that its client may be writing, without a lock and without a change to it.
//
// - The library cannot read a database with a write-ahead log in place: it has no shared memory. It reads a private
//   copy of both files, and sees what only the log has.
// - A checkpoint moves pages from the log into the database. If one ran during the copy, the copy is made again.
// - The copy is removed at once: a client may keep secrets in other tables.

import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../base/errors.js";
import { makeFolder, readBeginning } from "../../base/files/atomic-file.js";
import { limits } from "../../limits.js";
import { type Database, sqlite } from "./sqlite.js";

/** What differs between two states of a database; null if there is no database. */
export function databaseStamp(path: string): { stamp: string; modifiedAtMs: number } | null {
  const [own, log] = [partOf(path), partOf(logOf(path))];
  if (own === null) return null;
  return {
    stamp: `${own.text} ${log?.text ?? ""}`,
    modifiedAtMs: Math.max(own.modifiedAtMs, log?.modifiedAtMs ?? 0),
  };
}

/** `place` is a folder of ours for the copy. */
export function readSnapshot<T>(path: string, place: string, read: (database: Database) => T): T {
  makeFolder(place);
  sweepCopies(place);
  const folder = mkdtempSync(join(place, ".copy-"));
  try {
    const copy = join(folder, "copy.db");
    copyWhole(path, copy);
    const database = new (sqlite().Database)(copy);
    try {
      // With one user the library keeps the index of the log in its own memory.
      database.exec("PRAGMA locking_mode = EXCLUSIVE");
      return read(database);
    } finally {
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A killed process leaves its copy behind. */
function sweepCopies(place: string): void {
  const before = Date.now() - limits.databaseCopyMs;
  for (const name of readdirSync(place)) {
    const path = join(place, name);
    const stat = name.startsWith(".copy-") ? statSync(path, { throwIfNoEntry: false }) : undefined;
    if (stat !== undefined && stat.mtimeMs < before) rmSync(path, { recursive: true, force: true });
  }
}

function copyWhole(path: string, copy: string): void {
  for (let tries = 0; tries < limits.databaseCopies; tries++) {
    const before = checkpointMark(path);
    rmSync(logOf(copy), { force: true });
    copyIfThere(logOf(path), logOf(copy));
    copyFileSync(path, copy);
    if (checkpointMark(path) === before) return;
  }
  throw Object.assign(new Error(`${path} changes faster than it can be copied`), { code: "EBUSY" });
}

/** The database's own file, and the log's salt: both change with a checkpoint. */
function checkpointMark(path: string): string {
  const { text, sizeBytes } = partOf(path) ?? { text: "", sizeBytes: 0 };
  if (sizeBytes > limits.databaseBytes)
    throw Object.assign(new Error(`${path} has more than ${limits.databaseBytes} bytes`), { code: "EFBIG" });
  return `${text} ${readBeginning(logOf(path), 32)?.toString("hex") ?? ""}`;
}

function copyIfThere(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

function logOf(path: string): string {
  return `${path}-wal`;
}

function partOf(path: string): { text: string; sizeBytes: number; modifiedAtMs: number } | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return null;
  const { ino, size, mtimeNs, mtimeMs } = stat;
  return { text: `${ino} ${size} ${mtimeNs}`, sizeBytes: Number(size), modifiedAtMs: Number(mtimeMs) };
}
