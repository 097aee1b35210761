// A file that only grows by whole rows: the base of the forks, the event log and the receipts.
//
// [AP1] Rows are added at the end, all rows of one call together. Existing content is never rewritten.
// [AP2] A row counts once its line is complete: a half-written line of a killed writer is never read as a row.
// [AP3] A row that would not read back as itself is refused, and with it the whole call.
// [AP4] A file with a size limit is rotated as a whole: it becomes `.1`, and the previous `.1` is deleted.
// [AP5] The rows that `carried` picks survive every rotation: they are added again before the older file is deleted.

import { constants, fstatSync, readSync, renameSync } from "node:fs";
import {
  appendLines,
  closeTornLine,
  FileTooLarge,
  fileSize,
  withFile,
} from "../../base/files/atomic-file.js";
import { limits } from "../../limits.js";
import { guard, type Report } from "./error.js";
import { formatRow, parseLines, type RowFormat, type Rows } from "./row-lines.js";
import { refuseManyLines, whileLocked } from "./store-file.js";

/** A position in the log. It survives one rotation. */
export interface Place {
  /** The file's inode: after a rotation the path is another file. */
  file: number;
  offset: number;
}

export interface AppendOptions<Row> {
  /** Comment lines at the beginning of a new file. */
  header?: readonly string[];
  rotateBytes?: number;
  /** Picks the rows of the older file that must survive its deletion. `current` are the rows that stay. */
  carried?: (older: readonly Row[], current: readonly Row[]) => readonly Row[];
  report?: Report | undefined;
}

export const beginning: Place = { file: 0, offset: 0 };

export function appendFile<Row extends object>(
  path: string,
  format: RowFormat<Row>,
  { header = [], rotateBytes = Number.POSITIVE_INFINITY, carried, report }: AppendOptions<Row> = {},
) {
  const old = `${path}.1`;

  async function append(rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    const lines = linesOf(rows);
    const write = () => {
      if (fileSize(path) >= rotateBytes) rotate();
      const head = fileSize(path) === 0 ? header.map((line) => `${line}\n`).join("") : "";
      appendLines(path, head + lines);
    };
    await whileLocked(path, write, () => closeTornLine(path));
  }

  const linesOf = (rows: readonly Row[]) => rows.map((row) => `${formatRow(row, format)}\n`).join("");

  /** If killed before the rename, the next writer adds the carried rows again. */
  function rotate(): void {
    const rowsOf = (file: string) =>
      parseLines(file, readTail(file, beginning).bytes, format).lines.flatMap(({ row }) => row ?? []);
    const again = carried === undefined ? "" : linesOf(carried(rowsOf(old), rowsOf(path)));
    if (again !== "") appendLines(path, again);
    renameSync(path, old);
  }

  /** The rows after a position, and the next position, for following the log. */
  function readFrom(place: Place): Rows<Row> & { next: Place } {
    const current = readTail(path, place);
    const rotated = current.file === place.file ? null : readTail(old, place);
    // A position in neither file is from before two rotations: everything here is new.
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
    /** All rows, the rotated file's first. */
    read: (): Rows<Row> => {
      const { rows, problems } = readFrom(beginning);
      return { rows, problems };
    },
    readFrom,
    /** The position after the last row. */
    end: (): Place => {
      const { file, end } = readTail(path, beginning);
      return { file, offset: end };
    },
  };
}

/** The complete lines after a position; from the beginning if the position is in another file. */
function readTail(path: string, place: Place) {
  const read = (fd: number) => {
    const { ino, size } = fstatSync(fd);
    const start = ino === place.file && place.offset <= size ? place.offset : 0;
    if (size - start > limits.storeBytes)
      throw new FileTooLarge(`it has ${size} bytes, more than ${limits.storeBytes}`);
    const buffer = Buffer.alloc(size - start);
    const got = buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, start));
    const bytes = got.subarray(0, got.lastIndexOf(0x0a) + 1);
    refuseManyLines(bytes);
    return { path, file: ino, bytes, end: start + bytes.length };
  };
  const found = guard(path, () => withFile(path, constants.O_RDONLY, read));
  return found ?? { path, file: 0, bytes: Buffer.alloc(0), end: 0 };
}
