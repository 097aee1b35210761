// The log of the watcher in the background: what it prints, as lines.

import { closeSync, constants, ftruncateSync } from "node:fs";
import { dirname } from "node:path";
import {
  fileSize,
  makeFolder,
  openRegular,
  readBytes,
  replaceFile,
  withFile,
} from "../../base/files/atomic-file.js";
import { limits } from "../../limits.js";
import { guard } from "../file/error.js";

export function openWatchLog(path: string) {
  return {
    path,

    /** Hands `work` an open file to append to. */
    whileOpen<T>(work: (fd: number) => T): T {
      return guard(path, () => {
        makeFolder(dirname(path));
        const fd = openRegular(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT)!;
        try {
          return work(fd);
        } finally {
          closeSync(fd);
        }
      });
    },

    /** Keeps a log that grew too large as `<path>.old`. Its writer has it open, so the file itself stays. */
    trim(): void {
      guard(path, () => {
        const size = fileSize(path);
        if (size <= limits.watchLogBytes) return;
        replaceFile(`${path}.old`, readBytes(path, size + limits.watchLogBytes)!);
        withFile(path, constants.O_WRONLY, (fd) => ftruncateSync(fd));
      });
    },

    /** Where the log ends now. */
    size: () => guard(path, () => fileSize(path)),

    /** The lines behind this place. */
    linesFrom(start: number): string[] {
      const bytes = guard(path, () => readBytes(path, 2 * limits.watchLogBytes));
      return (bytes?.subarray(start).toString("utf8") ?? "").split("\n").filter((line) => line !== "");
    },
  };
}
