// A re-key that several stores go through, written down before the first of them does: one small file a process.
//
// [RY1] A re-key whose process was killed is finished by whoever comes next, and no store goes through it twice: one whose
//       rows are still what they were has not been through it.
// [RY2] One whose process lives, or cannot be seen from here, is left to it.
// [RY3] One that cannot be read is reported and stays; what it was for is found by the next look all the same.

import { join } from "node:path";
import { readBytes, refuseLinkedFolder, removeFile, replaceFile } from "../base/atomic-file.js";
import { withLock } from "../base/lock.js";
import { namesIn } from "../base/names-in.js";
import { fateOf, identityText, ownIdentity, parseIdentity } from "../base/process-identity.js";
import { limits } from "../limits.js";
import { isPaneAddress, isPaneId, type PaneAddress, type PaneId } from "../names/gates.js";
import { guard, type Report, storeError } from "./error.js";
import { type Moves, rekeyRows } from "./rekey.js";
import { lockOf } from "./row-file.js";

export interface Rekey {
  moves: readonly (readonly [from: PaneAddress, to: PaneAddress])[];
  /** The panes whose marks follow, and the tmux server they are of. */
  panes: readonly PaneMove[];
  serverPid: number | null;
  /** What the stores had at these addresses. */
  before: Readonly<Record<string, string>>;
}

export interface PaneMove {
  id: PaneId;
  from: PaneAddress;
  to: PaneAddress;
}

export interface Rekeying {
  begin(rekey: Rekey): void;
  end(): void;
  /** One after the other what killed processes left, by one at a time. */
  finish(work: (rekey: Rekey) => Promise<void>): Promise<void>;
}

export function openRekeying(folder: string, report: Report = () => {}): Rekeying {
  const own = () => {
    refuseLinkedFolder(folder);
    return join(folder, identityText(ownIdentity()));
  };
  const left = () =>
    guard(folder, () => {
      refuseLinkedFolder(folder);
      return namesIn(folder).filter(isOfTheDead);
    });
  return {
    begin: (rekey) => guard(folder, () => replaceFile(own(), JSON.stringify(rekey))),
    end: () => guard(folder, () => void removeFile(own())),
    async finish(work) {
      if (left().length === 0) return;
      const finishAll = async () => {
        for (const path of left().map((name) => join(folder, name))) {
          const rekey = isTemporary(path) ? null : readRekey(path);
          if (rekey === "unreadable") {
            report({ path, line: 1, why: "an unfinished re-key that cannot be read" });
            continue;
          }
          if (rekey !== null) await work(rekey);
          removeFile(path);
        }
      };
      try {
        await withLock(lockOf(folder), finishAll, { waitMs: limits.drainLockMs });
      } catch (error) {
        throw storeError(folder, error);
      }
    },
  };
}

/** What the rows at these addresses are, to be compared. */
export function rowsAt<Row extends { pane: PaneAddress }>(rows: readonly Row[], moves: Moves): string {
  const concerned = new Set([...moves].flat());
  return JSON.stringify(rows.filter(({ pane }) => concerned.has(pane)));
}

/** The rows behind the re-key, whether they have been through it or not. */
export function rekeyOnce<Row extends { pane: PaneAddress }>(
  rows: readonly Row[],
  moves: Moves,
  before: string | undefined,
): readonly Row[] {
  return rowsAt(rows, moves) === before ? rekeyRows(rows, moves) : rows;
}

function isOfTheDead(name: string): boolean {
  const identity = parseIdentity(
    isTemporary(name) ? name.slice(1, name.lastIndexOf(".", name.length - 5)) : name,
  );
  return identity !== null && fateOf(identity) === "dead";
}

/** What was being written when its process was killed: nothing had begun. */
function isTemporary(path: string): boolean {
  return path.endsWith(".tmp");
}

function readRekey(path: string): Rekey | "unreadable" | null {
  const bytes = guard(path, () => readBytes(path, limits.storeBytes));
  if (bytes === null) return null;
  try {
    const rekey = JSON.parse(bytes.toString("utf8")) as Rekey;
    const addresses = [...rekey.moves.flat(), ...rekey.panes.flatMap(({ from, to }) => [from, to])];
    const isGood = addresses.every(isPaneAddress) && rekey.panes.every(({ id }) => isPaneId(id));
    return isGood && typeof rekey.before === "object" ? rekey : "unreadable";
  } catch {
    return "unreadable";
  }
}
