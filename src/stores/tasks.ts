// Tasks for agents that are too long for a message: one private file per task, never overwritten.

import { join } from "node:path";
import { HiveError } from "../base/errors.js";
import { createFile, makeFolder, refuseLinkedFolder } from "../base/files/atomic-file.js";
import { numbered } from "../base/text/numbered.js";
import { utcCompact } from "../base/text/utc.js";
import { limits } from "../limits.js";
import { guard } from "./file/error.js";

export function openTasks(folder: string) {
  return {
    folder,
    /** Returns the path of the new file. `name` is the agent's, made safe for a file name. */
    write(name: string, text: string): string {
      if (text.trim() === "") throw new HiveError("refused an empty task");
      if (Buffer.byteLength(text) > limits.taskBytes)
        throw new HiveError(`refused a task of more than ${limits.taskBytes} bytes`);
      const base = `${utcCompact(Date.now())}-${name.replace(/[^A-Za-z0-9._-]/g, "_")}`;
      return guard(folder, () => {
        refuseLinkedFolder(folder);
        makeFolder(folder);
        const lines = text.endsWith("\n") ? text : `${text}\n`;
        return numbered(join(folder, base), ".md", (path) => (createFile(path, lines) ? path : null));
      });
    },
  };
}
