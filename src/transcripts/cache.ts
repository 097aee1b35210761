// What was read or found out, kept between runs. Everything in here can be found again: it is thrown away rather than
// repaired.
//
// [JC1] What is damaged, was made by other rules or belongs to another folder is as good as nothing, without a word.
// [JC2] Written in one step: runs at the same time overwrite each other whole, and each row still proves itself
//       by the file's stamp.

import { crc32 } from "node:zlib";
import { readBytes, replaceFile } from "../base/atomic-file.js";
import { limits } from "../limits.js";
import type { Reading } from "./scan.js";

export type Readings<T> = Map<string, Reading<T>>;

/** `key` says what the rows are rows of: rules and folder. */
export function loadRows<Row>(file: string, key: string): Map<string, Row> {
  const rows = loadKept(file, key, (body) => JSON.parse(body.toString("utf8")) as [string, Row][]);
  return new Map(rows);
}

export function saveRows<Row>(file: string, key: string, rows: ReadonlyMap<string, Row>): void {
  saveKept(file, key, Buffer.from(JSON.stringify([...rows])));
}

/** Null where there is nothing that counts. */
export function loadKept<Kept>(file: string, key: string, read: (body: Buffer) => Kept): Kept | null {
  try {
    const bytes = readBytes(file, limits.transcriptCacheBytes);
    const end = bytes?.indexOf(0x0a) ?? -1;
    if (bytes === null || end < 0) return null;
    const body = bytes.subarray(end + 1);
    return bytes.toString("utf8", 0, end) === header(key, body) ? read(body) : null;
  } catch {
    return null;
  }
}

export function saveKept(file: string, key: string, body: Buffer): void {
  replaceFile(file, Buffer.concat([Buffer.from(`${header(key, body)}\n`), body]));
}

/** The layout of these files, raised with what they hold. */
const layout = 1;

function header(key: string, body: Uint8Array): string {
  return JSON.stringify({ layout, key, bytes: body.length, sum: crc32(body) });
}
