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
  try {
    const bytes = readBytes(file, limits.transcriptCacheBytes);
    const end = bytes?.indexOf(0x0a) ?? -1;
    if (bytes === null || end < 0) return new Map();
    const body = bytes.subarray(end + 1);
    if (bytes.toString("utf8", 0, end) !== header(key, body)) return new Map();
    return new Map(JSON.parse(body.toString("utf8")) as [string, Row][]);
  } catch {
    return new Map();
  }
}

export function saveRows<Row>(file: string, key: string, rows: ReadonlyMap<string, Row>): void {
  const body = Buffer.from(JSON.stringify([...rows]));
  replaceFile(file, Buffer.concat([Buffer.from(`${header(key, body)}\n`), body]));
}

/** The layout of these files, raised with what a row is. */
const layout = 1;

function header(key: string, body: Uint8Array): string {
  return JSON.stringify({ layout, key, bytes: body.length, sum: crc32(body) });
}
