// S4: the saved fleets, one file per save, never changed afterwards.
//
// [SS1] A save never replaces another: the second one in the same second gets `-2`.
// [SS2] The list is newest first by the time in the name, then by its number. A name without a time has the time of
//       its header, else of its file.
// [SS3] A new save is always the newest, even if the clock was set back: its name follows the newest existing one.

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createFile, readBeginning, removeFile, sweepTemporary } from "../base/files/atomic-file.js";
import { withLock } from "../base/files/lock.js";
import { namesIn } from "../base/files/names-in.js";
import { numbered } from "../base/text/numbered.js";
import { shellWord } from "../base/text/shell-word.js";
import { parseUtc, utcCompact } from "../base/text/utc.js";
import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import { guard, type Report, StoreError, storeError } from "./file/error.js";
import { readStore } from "./file/store-file.js";
import {
  formatSnapshot,
  headerTime,
  parseSnapshot,
  type SnapshotRead,
  type StoredRow,
} from "./text/snapshot-text.js";

export interface SnapshotFile {
  path: string;
  name: string;
  savedAtMs: number;
  /** The name is not one of ours. */
  isForeign: boolean;
}

export interface SnapshotOptions {
  isAutosave: boolean;
  /** Sessions without any message. */
  silent?: ReadonlySet<SessionId>;
  nowMs?: number;
}

export type Snapshots = ReturnType<typeof openSnapshots>;

export function openSnapshots(folder: string, report?: Report) {
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

    /** A missing path is an error: the latest snapshot is never used instead. */
    read(path: string): SnapshotRead {
      const bytes = readStore(path, limits.snapshotBytes);
      if (bytes === null) {
        throw new StoreError("unreadable", path, "there is no such snapshot", {
          hint: `list the snapshots: ls ${shellWord(folder)}`,
        });
      }
      const found = parseSnapshot(path, bytes);
      for (const problem of found.problems) report?.(problem);
      return found;
    },

    /** Returns the path of the new file. */
    create: (rows: readonly StoredRow[], { nowMs = Date.now(), ...facts }: SnapshotOptions) =>
      locked(() => {
        const text = formatSnapshot(rows, nowMs, facts);
        const newestMs = snapshotsIn(folder)[0]?.savedAtMs ?? 0;
        const time = utcCompact(newestMs > nowMs ? newestMs + 1000 : nowMs);
        return numbered(join(folder, `${beginning}${time}`), ".env", (path) =>
          createFile(path, text) ? path : null,
        );
      }),

    /** Removes these files if they are snapshots of this folder with names of our own. */
    prune: (files: readonly SnapshotFile[]) =>
      locked(() => {
        const own = snapshotsIn(folder).filter(({ isForeign }) => !isForeign);
        const ours = new Set(own.map(({ path }) => path));
        for (const { path } of files) if (ours.has(path)) removeFile(path);
      }),
  };
}

/** The name of a snapshot made elsewhere from saved rows. */
export function snapshotName(savedAtMs: number): string {
  return `${beginning}${utcCompact(savedAtMs)}.env`;
}

const nameForm = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(?:-([1-9]\d{0,3}))?$/;
const beginning = "hivemind.snapshot.";

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

/** In whole seconds, like the names. */
function foreignTime(path: string): number {
  const header = parseUtc(headerTime(beginningOf(path)));
  const fileMs = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return header ?? Math.floor(fileMs / 1000) * 1000;
}

/** Empty if unreadable: reading the whole file reports why. */
function beginningOf(path: string): Buffer {
  try {
    return readBeginning(path, limits.rowBytes) ?? Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  }
}

/** Other stores share the folder, and their writers have their own locks. */
function sweepSnapshots(folder: string): void {
  for (const name of readdirSync(folder)) {
    const of = /^\.(hivemind\.snapshot\..+\.env)\.\d+-/.exec(name)?.[1];
    if (of !== undefined) sweepTemporary(folder, of);
  }
}
