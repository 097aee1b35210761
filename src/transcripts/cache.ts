// Caches results between runs. Everything in a cache can be computed again, so a damaged one is dropped, not
// repaired.
//
// - A cache that is damaged, has other rules or belongs to another folder counts as empty, without a warning.
// - It is written in one step. Concurrent runs overwrite each other's cache as a whole, and each row still proves
//   itself by the stamp of its file.

import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { readBytes, replaceDisposable } from "../base/files/atomic-file.js";
import { limits } from "../limits.js";
import type { Reading } from "./scan/scan.js";

export type Readings<T> = Map<string, Reading<T>>;

/** `key` names what the rows depend on: rules and folder. */
export function loadRows<Row>(file: string, key: string): Map<string, Row> {
  const rows = loadCache(file, key, (body) => JSON.parse(body.toString("utf8")) as [string, Row][]);
  return new Map(rows);
}

export function saveRows<Row>(file: string, key: string, rows: ReadonlyMap<string, Row>): void {
  saveCache(file, key, Buffer.from(JSON.stringify([...rows])));
}

/** Null if there is no valid cache. */
export function loadCache<Kept>(file: string, key: string, read: (body: Buffer) => Kept): Kept | null {
  try {
    const bytes = readBytes(file, limits.transcriptCacheBytes);
    const end = bytes?.indexOf(0x0a) ?? -1;
    if (bytes === null || end < 0) return null;
    const body = bytes.subarray(end + 1);
    return bytes.toString("utf8", 0, end).trimEnd() === header(key, [body]) ? read(body) : null;
  } catch {
    return null;
  }
}

/** `body`: its parts. A large one would take twice the memory as a whole. */
export function saveCache(file: string, key: string, ...body: readonly Uint8Array[]): void {
  const line = Buffer.from(header(key, body));
  // With blanks before the line end, so that numbers in the body are aligned.
  const end = Buffer.from("\n".padStart(alignment - (line.length % alignment)));
  replaceDisposable(file, line, end, ...body);
}

/** Removes the caches with this beginning of a name that were not written for long. */
export function removeOld(cacheDir: string, prefix: string): void {
  const oldest = Date.now() - limits.transcriptChainDays * 24 * 3600 * 1000;
  for (const name of readdirSync(cacheDir)) {
    const path = join(cacheDir, name);
    // Another command may remove it at the same moment.
    const stat = name.startsWith(prefix) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
    if (stat !== undefined && stat.mtimeMs < oldest) rmSync(path, { force: true });
  }
}

const alignment = Float64Array.BYTES_PER_ELEMENT;

/** The version of the file layout; increase it when the contents change. */
const layout = 5;

function header(key: string, body: readonly Uint8Array[]): string {
  const bytes = body.reduce((sum, { length }) => sum + length, 0);
  // Of an empty part zlib forgets the sum of the parts before it.
  const sum = body.reduce((sum, part) => (part.length === 0 ? sum : crc32(part, sum)), 0);
  return JSON.stringify({ layout, key, bytes, sum });
}
