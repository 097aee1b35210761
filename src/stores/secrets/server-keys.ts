// The passwords of the servers inside agents: one private file per session, written at each start of an agent.
//
// [KEY1] A password is in its file and in the environment of its agent's process, never in an argument or a row.
// [KEY2] A password counts only as a regular file of this user that nobody else can read.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, readBytes, refuseLinkedFolder, replaceFile } from "../../base/files/atomic-file.js";
import { randomHex } from "../../base/random.js";
import { limits } from "../../limits.js";
import { type SessionId, sessionId } from "../../names/gates.js";
import { guard } from "../file/error.js";

export function openKeys(folder: string) {
  const fileOf = (session: SessionId) => join(folder, sessionId(session));
  return {
    /** Makes a new password for the session, and returns the path of its file. */
    renew(session: SessionId): string {
      const path = fileOf(session);
      return guard(folder, () => {
        refuseLinkedFolder(folder);
        makeFolder(folder);
        replaceFile(path, `${randomHex(24)}\n`, 0o600);
        return path;
      });
    },
    /** Null if the session has none. */
    read(session: SessionId): string | null {
      const path = fileOf(session);
      return guard(path, () => {
        const stat = lstatSync(path, { throwIfNoEntry: false });
        const isOwn = stat?.isFile() && stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0;
        return isOwn ? (readBytes(path, limits.keyBytes)?.toString("utf8").trim() ?? null) : null;
      });
    },
  };
}
