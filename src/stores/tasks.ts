// What an agent was asked to do, where that is too long for a message: one file a task.
//
// [TF1] A task is a file of its own, for its owner alone; no other task is ever written over.

import { join } from "node:path";
import { createFile, makeFolder, refuseLinkedFolder } from "../base/atomic-file.js";
import { HiveError } from "../base/errors.js";
import { utcCompact } from "../base/utc.js";
import { limits } from "../limits.js";
import { guard } from "./error.js";

export interface Tasks {
  readonly folder: string;
  /** The path of the new file. `name` says for whom, as a file name may. */
  write(name: string, text: string): string;
}

export function openTasks(folder: string): Tasks {
  return {
    folder,
    write(name, text) {
      if (text.trim() === "") throw new HiveError("refused an empty task");
      if (Buffer.byteLength(text) > limits.taskBytes)
        throw new HiveError(`refused a task of more than ${limits.taskBytes} bytes`);
      const base = `${utcCompact(Date.now())}-${name.replace(/[^A-Za-z0-9._-]/g, "_")}`;
      return guard(folder, () => {
        refuseLinkedFolder(folder);
        makeFolder(folder);
        for (let count = 1; ; count++) {
          const path = join(folder, count === 1 ? `${base}.md` : `${base}-${count}.md`);
          if (createFile(path, text.endsWith("\n") ? text : `${text}\n`)) return path;
        }
      });
    },
  };
}
