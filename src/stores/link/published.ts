// How much of the event log the fleet has: `file offset`, a place in the log.

import { readBytes, replaceDisposable } from "../../base/files/atomic-file.js";
import { limits } from "../../limits.js";
import type { Place } from "../file/append-file.js";
import { guard } from "../file/error.js";

export function openPublished(path: string) {
  return {
    path,
    /** Null if nothing was published yet. */
    read(): Place | null {
      const bytes = guard(path, () => readBytes(path, limits.rowBytes));
      const match = /^(\d{1,20}) (\d{1,15})\n$/.exec(bytes?.toString("utf8") ?? "");
      return match === null ? null : { file: Number(match[1]), offset: Number(match[2]) };
    },
    write: ({ file, offset }: Place): void =>
      guard(path, () => replaceDisposable(path, Buffer.from(`${file} ${offset}\n`))),
  };
}
