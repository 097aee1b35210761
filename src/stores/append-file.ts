// A file that only ever grows by whole rows: the thing under the forks, the event log and the receipts.
//
// [AP1] Rows are added at the end, all of one call together; what is in the file already is never rewritten.
// [AP2] A row counts once its line is ended: what a killed writer left half done is never read as one.
// [AP3] A row that would not read back as itself is refused, and with it the whole call.
// [AP4] A file that may not grow for ever is rotated whole: it becomes `.1`, the one before that is dropped.
// [AP5] The rows that `carried` picks outlive every rotation: they are added once more before the older file is dropped.

import { closeSync, constants, fstatSync, lstatSync, readSync, renameSync } from "node:fs";
import { appendLines, closeTornLine, FileTooLarge, openRegular } from "../base/atomic-file.js";
import { errorCode } from "../base/errors.js";
import { withLock } from "../base/lock.js";
import { limits } from "../limits.js";
import { refuseManyLines } from "./bounded.js";
import { guard, type Report, storeError } from "./error.js";
import { lockOf } from "./row-file.js";
import { formatRow, parseLines, type RowFormat, type Rows } from "./row-lines.js";

export interface AppendFile<Row> {
  readonly path: string;
  append(rows: readonly Row[]): Promise<void>;
  /** Everything there is, the rotated file first. */
  read(): Rows<Row>;
  /** What came after that place, and the next place: for following along. */
  readFrom(place: Place): Rows<Row> & { next: Place };
  /** Behind the last row: from here on only what is new. */
  end(): Place;
}

/** A place in the log. It survives one rotation. */
export interface Place {
  /** Which file, by inode: the path names another after a rotation. */
  file: number;
  offset: number;
}

export interface AppendOptions<Row> {
  /** Comment lines that a new file begins with. */
  header?: readonly string[];
  rotateBytes?: number;
  /** Of the rows in the older file, those that must not be forgotten with it. `current` is what stays. */
  carried?: (older: readonly Row[], current: readonly Row[]) => readonly Row[];
  report?: Report | undefined;
}

export const beginning: Place = { file: 0, offset: 0 };

export function appendFile<Row extends object>(
  path: string,
  format: RowFormat<Row>,
  { header = [], rotateBytes = Number.POSITIVE_INFINITY, carried, report }: AppendOptions<Row> = {},
): AppendFile<Row> {
  const old = `${path}.1`;

  async function append(rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    const lines = linesOf(rows);
    const write = () => {
      if (sizeOf(path) >= rotateBytes) rotate();
      const head = sizeOf(path) === 0 ? header.map((line) => `${line}\n`).join("") : "";
      appendLines(path, head + lines);
    };
    try {
      await withLock(lockOf(path), write, { afterDeath: () => closeTornLine(path) });
    } catch (error) {
      throw storeError(path, error);
    }
  }

  const linesOf = (rows: readonly Row[]) => rows.map((row) => `${formatRow(row, format)}\n`).join("");

  /** Killed before the rename, the next writer adds the carried rows once more. */
  function rotate(): void {
    const rowsOf = (file: string) =>
      parseLines(file, readTail(file, beginning).bytes, format).lines.flatMap(({ row }) => row ?? []);
    const kept = carried === undefined ? "" : linesOf(carried(rowsOf(old), rowsOf(path)));
    if (kept !== "") appendLines(path, kept);
    renameSync(path, old);
  }

  function readFrom(place: Place): Rows<Row> & { next: Place } {
    const current = readTail(path, place);
    const rotated = current.file === place.file ? null : readTail(old, place);
    // A place in a file that is neither is from before two rotations: everything since then is new.
    const parts = rotated === null ? [current] : [rotated, current];
    const found = parts.map((part) => parseLines(part.path, part.bytes, format));
    for (const problem of found.flatMap(({ problems }) => problems)) report?.(problem);
    return {
      rows: found.flatMap(({ lines }) => lines.flatMap(({ row }) => (row === null ? [] : [row]))),
      problems: found.flatMap(({ problems }) => problems),
      next: { file: current.file, offset: current.end },
    };
  }

  return {
    path,
    append,
    read: () => {
      const { rows, problems } = readFrom(beginning);
      return { rows, problems };
    },
    readFrom,
    end: () => {
      const { file, end } = readTail(path, beginning);
      return { file, offset: end };
    },
  };
}

interface Tail {
  path: string;
  file: number;
  bytes: Buffer;
  end: number;
}

/** The ended lines behind a place; from the beginning if the place is in another file. */
function readTail(path: string, place: Place): Tail {
  return guard(path, () => {
    const fd = openRegular(path, constants.O_RDONLY);
    if (fd === null) return { path, file: 0, bytes: Buffer.alloc(0), end: 0 };
    try {
      const { ino, size } = fstatSync(fd);
      const start = ino === place.file && place.offset <= size ? place.offset : 0;
      if (size - start > limits.storeBytes)
        throw new FileTooLarge(`it has ${size} bytes, more than ${limits.storeBytes}`);
      const buffer = Buffer.alloc(size - start);
      const got = buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, start));
      const bytes = got.subarray(0, got.lastIndexOf(0x0a) + 1);
      refuseManyLines(bytes);
      return { path, file: ino, bytes, end: start + bytes.length };
    } finally {
      closeSync(fd);
    }
  });
}

function sizeOf(path: string): number {
  try {
    // Not of what a link leads to: the link itself would be rotated away instead of being refused.
    return lstatSync(path).size;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return 0;
    throw error;
  }
}
