// A small file of rows, the base of most stores.
//
// [RF1] Reading creates nothing: no file, folder or lock.
// [RF2] An update works on the current content of the file, under its lock: two processes lose nothing.
// [RF3] A change that throws or is refused leaves the file unchanged.
// [RF4] A change without a difference writes nothing.

import { replaceFile } from "../../base/files/atomic-file.js";
import type { Report } from "./error.js";
import { type Lines, parseLines, type RowFormat, type Rows, rewriteLines } from "./row-lines.js";
import { readStore, whileLocked } from "./store-file.js";

export type RowFile<Row extends object> = ReturnType<typeof rowFile<Row>>;

export function rowFile<Row extends object>(path: string, format: RowFormat<Row>, report?: Report) {
  function read(): Lines<Row> {
    const found = parseLines(path, readStore(path) ?? Buffer.alloc(0), format);
    for (const problem of found.problems) report?.(problem);
    return found;
  }

  /** `change` gets the current rows and returns the wanted ones. The file's order stays; new keys go to the end. */
  async function update(change: (rows: readonly Row[]) => readonly Row[]) {
    const write = () => {
      const found = read();
      const bytes = rewriteLines(found, change(found.rows), format);
      if (bytes === null) return { rows: found.rows, problems: found.problems, changed: false };
      replaceFile(path, bytes);
      const { rows, problems } = parseLines(path, bytes, format);
      return { rows, problems, changed: true };
    };
    return whileLocked(path, write);
  }

  return {
    path,
    read: (): Rows<Row> => {
      const { rows, problems } = read();
      return { rows, problems };
    },
    update,
  };
}
