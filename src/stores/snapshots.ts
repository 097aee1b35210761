// S4: the saved fleets, one file a save, never changed afterwards.
//
// [SS1] A save never replaces another one: of two in one second the second gets `-2`.
// [SS2] The list is newest first, by the time in the name, also within one second. A name without a time has that of its
//       header, else of its file.
// [SS3] A save is the newest from then on, also when the clock was set back: its name follows the newest there is.

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createFile, readBeginning, removeFile, sweepTemporary } from "../base/atomic-file.js";
import { withLock } from "../base/lock.js";
import { namesIn } from "../base/names-in.js";
import { shellWord } from "../base/shell-word.js";
import { parseUtc, utcCompact } from "../base/utc.js";
import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import { readStore } from "./bounded.js";
import { guard, type Report, StoreError, storeError } from "./error.js";
import {
  formatSnapshot,
  headerTime,
  parseSnapshot,
  type SnapshotRead,
  type StoredRow,
} from "./snapshot-text.js";

export interface SnapshotFile {
  path: string;
  name: string;
  savedAtMs: number;
  /** Somebody else chose its name. */
  isForeign: boolean;
}

export interface SnapshotOptions {
  isAutosave: boolean;
  /** Sessions that have not said a word. */
  silent?: ReadonlySet<SessionId>;
  nowMs?: number;
}

export interface Snapshots {
  readonly folder: string;
  list(): SnapshotFile[];
  /** A path that is not there is an error: the latest is never taken in its place. */
  read(path: string): SnapshotRead;
  /** The path it was written to. */
  create(rows: readonly StoredRow[], options: SnapshotOptions): Promise<string>;
  /** Removes these, and nothing but snapshots of this folder under names of our own. */
  prune(files: readonly SnapshotFile[]): Promise<void>;
}

export function openSnapshots(folder: string, report?: Report): Snapshots {
  async function locked<T>(change: () => T): Promise<T> {
    const path = join(folder, "hivemind.snapshot");
    try {
      return await withLock(`${path}.lock`, change, { afterDeath: () => sweepSnapshots(folder) });
    } catch (error) {
      throw storeError(folder, error);
    }
  }

  return {
    folder,
    list: () => guard(folder, () => snapshotsIn(folder)),

    read(path) {
      const bytes = guard(path, () => readStore(path, limits.snapshotBytes));
      if (bytes === null) {
        throw new StoreError("unreadable", path, "there is no such snapshot", {
          hint: `those that are there: ls ${shellWord(folder)}`,
        });
      }
      const found = parseSnapshot(path, bytes);
      for (const problem of found.problems) report?.(problem);
      return found;
    },

    create: (rows, { nowMs = Date.now(), ...facts }) =>
      locked(() => {
        const text = formatSnapshot(rows, nowMs, facts);
        const newestMs = snapshotsIn(folder)[0]?.savedAtMs ?? 0;
        const time = utcCompact(newestMs > nowMs ? newestMs + 1000 : nowMs);
        for (let count = 1; ; count++) {
          const path = join(folder, fileName(time, count));
          if (createFile(path, text)) return path;
        }
      }),

    prune: (files) =>
      locked(() => {
        const own = snapshotsIn(folder).filter(({ isForeign }) => !isForeign);
        const ours = new Set(own.map(({ path }) => path));
        for (const { path } of files) if (ours.has(path)) removeFile(path);
      }),
  };
}

/** Of one that is made elsewhere of saved rows. */
export function snapshotName(savedAtMs: number): string {
  return fileName(utcCompact(savedAtMs), 1);
}

const nameForm = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(?:-([1-9]\d{0,3}))?$/;

function fileName(time: string, count: number): string {
  return `hivemind.snapshot.${time}${count === 1 ? "" : `-${count}`}.env`;
}

function snapshotsIn(folder: string): SnapshotFile[] {
  const found = namesIn(folder).flatMap((name) => {
    const [, label] = /^hivemind\.snapshot\.(.+)\.env$/s.exec(name) ?? [];
    if (label === undefined) return [];
    const path = join(folder, name);
    const match = nameForm.exec(label);
    if (match === null) return [{ path, name, savedAtMs: foreignTime(path), count: 0 }];
    const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as number[];
    const savedAtMs = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!);
    return [{ path, name, savedAtMs, count: Number(match[7] ?? 1) }];
  });
  found.sort((a, b) => b.savedAtMs - a.savedAtMs || b.count - a.count || (a.name < b.name ? 1 : -1));
  return found.map(({ count, ...file }) => ({ ...file, isForeign: count === 0 }));
}

/** In whole seconds, as names have it. */
function foreignTime(path: string): number {
  const header = parseUtc(headerTime(beginningOf(path)));
  const fileMs = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return header ?? Math.floor(fileMs / 1000) * 1000;
}

/** Empty where it cannot be read: who reads the whole file says why. */
function beginningOf(path: string): Buffer {
  try {
    return readBeginning(path, limits.rowBytes) ?? Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  }
}

/** The folder is shared with the other stores, whose writers have locks of their own. */
function sweepSnapshots(folder: string): void {
  for (const name of readdirSync(folder)) {
    const of = /^\.(hivemind\.snapshot\..+\.env)\.\d+-/.exec(name)?.[1];
    if (of !== undefined) sweepTemporary(folder, of);
  }
}
