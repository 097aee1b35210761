// The names of conversations, from the client's `session_index.jsonl`: one line per naming, the last one counts.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../base/errors.js";
import { readSessionId, type SessionId } from "../../names/gates.js";
import { parseRecord, wordsOrNull } from "../record.js";

export function readNames(folder: string): ReadonlyMap<SessionId, string> {
  try {
    const path = join(folder, "session_index.jsonl");
    const { ino, size, mtimeMs } = statSync(path);
    const stamp = `${path} ${ino} ${size} ${mtimeMs}`;
    if (last?.stamp !== stamp) last = { stamp, names: namesIn(readFileSync(path, "utf8")) };
    return last.names;
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return new Map();
    throw error;
  }
}

export function nameOf(folder: string, session: SessionId): string | null {
  return readNames(folder).get(session) ?? null;
}

/** Every agent of a look asks for its name. */
let last: { stamp: string; names: ReadonlyMap<SessionId, string> } | null = null;

/** Half a line, which the client is still writing, is not JSON. */
export function namesIn(index: string): Map<SessionId, string> {
  const names = new Map<SessionId, string>();
  for (const line of index.split("\n")) {
    const record = parseRecord(line);
    const session = readSessionId(record?.id);
    if (session === null) continue;
    const name = wordsOrNull(record?.thread_name);
    if (name === null) names.delete(session);
    else names.set(session, name);
  }
  return names;
}
