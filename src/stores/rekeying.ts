// A re-key that several stores go through, written down before the first of them does: one small file a process.
//
// [RY1] A re-key whose process was killed is finished by whoever comes next, and no store goes through it twice: one whose
//       rows are still what they were has not been through it.
// [RY2] One whose process lives, or cannot be seen from here, is left to it, until it leaves it: then it is as if it had
//       been killed, and itself may be who comes next.
// [RY3] One that cannot be read, or is none in any part, is reported and stays; what it was for is found by the next look
//       all the same.

import { renameSync } from "node:fs";
import { join } from "node:path";
import { FileRefused, readBytes, refuseLinkedFolder, removeFile, replaceFile } from "../base/atomic-file.js";
import { errorCode } from "../base/errors.js";
import { withLock } from "../base/lock.js";
import { namesIn } from "../base/names-in.js";
import { fateOf, identityText, ownIdentity, parseIdentity } from "../base/process-identity.js";
import { randomHex } from "../base/random.js";
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
  /** It could not be gone through with. Never fails: what cannot even be left is found when this process has ended. */
  leave(): void;
  /** Fails where nothing could be begun: for who is about to move panes. */
  rehearse(): void;
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
      return namesIn(folder).filter((name) => name.endsWith(leftEnding) || isOfTheDead(name));
    });
  const begin = (rekey: Rekey) => guard(folder, () => replaceFile(own(), JSON.stringify(rekey)));
  const end = () => guard(folder, () => void removeFile(own()));
  return {
    begin,
    end,
    leave() {
      try {
        renameSync(own(), `${own()}.${randomHex(12)}${leftEnding}`);
      } catch (error) {
        if (errorCode(error) === undefined && !(error instanceof FileRefused)) throw error;
      }
    },
    rehearse() {
      begin({ moves: [], panes: [], serverPid: null, before: {} });
      end();
    },
    async finish(work) {
      if (left().length === 0) return;
      const finishAll = async () => {
        for (const path of left().map((name) => join(folder, name))) {
          const rekey = readRekey(path);
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

const leftEnding = ".left";

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
  try {
    const bytes = readBytes(path, limits.storeBytes);
    if (bytes === null || isTemporary(path)) return null;
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isRekey(value) ? value : "unreadable";
  } catch {
    return "unreadable";
  }
}

/** What it holds becomes keys of the stores, and targets of tmux: all of it is looked at. */
function isRekey(value: unknown): value is Rekey {
  if (!isObject(value)) return false;
  const { moves, panes, serverPid, before } = value;
  const isAddress = (each: unknown) => typeof each === "string" && isPaneAddress(each);
  const isMove = (each: unknown) => Array.isArray(each) && each.length === 2 && each.every(isAddress);
  const isPane = (each: unknown) =>
    isObject(each) && typeof each.id === "string" && isPaneId(each.id) && isMove([each.from, each.to]);
  return (
    Array.isArray(moves) &&
    moves.every(isMove) &&
    Array.isArray(panes) &&
    panes.every(isPane) &&
    (serverPid === null || Number.isSafeInteger(serverPid)) &&
    isObject(before) &&
    Object.values(before).every((each) => typeof each === "string")
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
