// Whether a session that the index does not have may be in an unreadable place. Pure.
//
// - A session may be in an unreadable file of its id, and in any unreadable folder. Then it is not known to have no
//   transcript.
// - A problem that concerns only another session, or only costs time, hides nothing.
// - Callers report the path, with exit code 3.

import { basename } from "node:path";
import { type ExitCode, exitCodes, HiveError } from "../base/errors.js";
import { shellWord } from "../base/text/shell-word.js";
import type { Problem } from "./transcript.js";

/** `id` may be the beginning of an id; the empty string means any. */
export function mayBeHidden(problems: readonly Problem[], id: string): boolean {
  return hiding(problems, id) !== undefined;
}

export interface Unseen {
  why: string;
  hint: string;
  exitCode: ExitCode;
}

/** The reason why this session may be hidden, in words; null if nothing can hide it. */
export function unseen(what: string, id: string, problems: readonly Problem[]): Unseen | null {
  const hidden = hiding(problems, id);
  if (hidden === undefined) return null;
  const { path, message } = hidden;
  return {
    // Node's own messages name the path.
    why: `${what} could not be seen: ${message.includes(path) ? message : `${path}: ${message}`}`,
    hint: `see why: ls -ld ${shellWord(path)}`,
    exitCode: exitCodes.couldNotLook,
  };
}

export function refuseUnseen(what: string, id: string, problems: readonly Problem[]): void {
  const found = unseen(what, id, problems);
  if (found !== null) throw new HiveError(found.why, found);
}

function hiding(problems: readonly Problem[], id: string): Problem | undefined {
  const isIt = (path: string) => !path.endsWith(".jsonl") || basename(path).startsWith(id);
  return problems.find(({ path, isAside }) => isAside !== true && isIt(path));
}
