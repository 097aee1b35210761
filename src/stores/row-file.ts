// A small file of rows, the thing under most stores.
//
// [RF1] Reading makes nothing: no file, folder or lock.
// [RF2] An update works on what is in the file then, under its lock: two processes lose nothing.
// [RF3] A change that throws, or is refused, leaves the file as it was.
// [RF4] A change that changes nothing writes nothing.

import { basename, dirname } from "node:path";
import { replaceFile, sweepTemporary } from "../base/atomic-file.js";
import { withLock } from "../base/lock.js";
import { readStore } from "./bounded.js";
import { guard, type Report, storeError } from "./error.js";
import { type Lines, parseLines, type RowFormat, type Rows, rewriteLines } from "./row-lines.js";

export interface RowFile<Row> {
  readonly path: string;
  read(): Rows<Row>;
  /** The previous rows in, the wanted rows out. The order of the file is kept; new keys go to its end. */
  update(change: (rows: readonly Row[]) => readonly Row[]): Promise<Update<Row>>;
}

export interface Update<Row> extends Rows<Row> {
  changed: boolean;
}

export function rowFile<Row extends object>(
  path: string,
  format: RowFormat<Row>,
  report?: Report,
): RowFile<Row> {
  function read(): Lines<Row> {
    const found = parseLines(path, guard(path, () => readStore(path)) ?? Buffer.alloc(0), format);
    for (const problem of found.problems) report?.(problem);
    return found;
  }

  async function update(change: (rows: readonly Row[]) => readonly Row[]): Promise<Update<Row>> {
    const write = () => {
      const found = read();
      const bytes = rewriteLines(found, change(found.rows), format);
      if (bytes === null) return { rows: found.rows, problems: found.problems, changed: false };
      replaceFile(path, bytes);
      const { rows, problems } = parseLines(path, bytes, format);
      return { rows, problems, changed: true };
    };
    try {
      return await withLock(lockOf(path), write, {
        afterDeath: () => sweepTemporary(dirname(path), basename(path)),
      });
    } catch (error) {
      throw storeError(path, error);
    }
  }

  return {
    path,
    read: () => {
      const { rows, problems } = read();
      return { rows, problems };
    },
    update,
  };
}

export function lockOf(path: string): string {
  return `${path}.lock`;
}
