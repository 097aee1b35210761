// The files of one session, and whose they are.
//
// [SFI1] Claude's are its transcript and the folder beside it that has its name; claw's is its one file. What else the
//        client keeps of it (backups of files, to-do lists) stays where it is.

import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { HiveError } from "../base/errors.js";
import type { Owner } from "../stores/put-aside.js";
import type { AnySession } from "./session-list.js";

export interface SessionFiles {
  owner: Owner;
  /** The session's own first. */
  paths: string[];
}

export function sessionFiles({ store, id, agent, title, workspace, path }: AnySession): SessionFiles {
  if (path === null) throw new HiveError(`session ${id} has no file yet: nothing was said in it`);
  const beside = path.slice(0, -".jsonl".length);
  const paths = store === "transcripts" && existsSync(beside) ? [path, beside] : [path];
  // A transcript lies in `projects/<slug>/` of its config folder.
  const within =
    store === "transcripts" ? dirname(dirname(dirname(path))) : (workspace?.path ?? dirname(path));
  return { owner: { id, agent, title, workspace: workspace?.path ?? null, within }, paths };
}

export function lastWrittenMs(path: string): number {
  return statSync(path).mtimeMs;
}
