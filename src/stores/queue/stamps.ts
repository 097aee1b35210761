// The counter that all queues share: every message gets a stamp after the last one.

import { join } from "node:path";
import { readBytes, replaceFile } from "../../base/files/atomic-file.js";
import { limits } from "../../limits.js";
import { guard } from "../file/error.js";
import { isStamp, later, type MessageId, messageParts, type Stamp, secondsOf } from "./queue-rows.js";

/** The last stamp of any queue in the folder, stored in a file beside them. */
export function lastStampIn(folder: string) {
  const path = join(folder, ".last");
  return {
    read(): Stamp | null {
      const text = guard(path, () => readBytes(path, limits.storeBytes))
        ?.toString("latin1")
        .trim();
      return text !== undefined && isStamp(text) && isNear(text) ? text : null;
    },
    /** A foreign row may lie far in the future: the other queues do not follow it. */
    write(stamp: Stamp, before: Stamp | null): void {
      const latest = Math.max(nowSeconds(), before === null ? 0 : secondsOf(before));
      const next = secondsOf(stamp) > latest ? before : later(before, stamp);
      if (next !== null && next !== before) replaceFile(path, `${next}\n`);
    },
  };
}

export function latestOf(ids: readonly MessageId[]): Stamp | null {
  const stamps = ids.map((id) => messageParts(id).stamp).filter(isNear);
  return stamps.reduce<Stamp | null>(later, null);
}

/** A stamp far in the future is a mistake, not one from before the clock was set back. */
function isNear(stamp: Stamp): boolean {
  return secondsOf(stamp) <= nowSeconds() + limits.clockBackSeconds;
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
