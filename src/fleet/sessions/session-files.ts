// The files of one session, and their owner.
//
// Claude's are the transcript and the folder of the same name beside it; claw's is one file. Other files that the
// client keeps for a session (backups of files, to-do lists) stay where they are.

import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { HiveError } from "../../base/errors.js";
import type { Owner } from "../../stores/file/session-archive.js";
import type { AnySession } from "./session-list.js";

/** The first path is the session's own file. */
export function sessionFiles(session: AnySession): { owner: Owner; paths: string[] } {
  const { store, id, agent, title, workspace, path } = session;
  if (path === null) throw new HiveError(`session ${id} has no file yet: it has no messages`);
  const beside = path.slice(0, -".jsonl".length);
  const paths = store === "transcripts" && existsSync(beside) ? [path, beside] : [path];
  const within = session.store === "transcripts" ? session.folder! : (workspace?.path ?? dirname(path));
  return { owner: { id, agent, title, workspace: workspace?.path ?? null, within }, paths };
}

export function lastWrittenMs(path: string): number {
  return statSync(path).mtimeMs;
}
