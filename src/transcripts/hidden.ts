// Whether what the index does not have may lie where nobody could look. Pure.
//
// [HID1] A session may be in a file of its id that could not be read, and in every folder that could not be: it is not known
//        to have no transcript. What could be only another session, or costs no more than time, hides nothing.
// [HID2] Whoever needs to know is told which path it is, with exit code 3.

import { basename } from "node:path";
import { type ExitCode, exitCodes, HiveError } from "../base/errors.js";
import { shellWord } from "../base/shell-word.js";
import type { Problem } from "./transcript.js";

/** `id` may be the beginning of one; the empty one is that of any. */
export function mayHide(problems: readonly Problem[], id: string): boolean {
  return hiding(problems, id) !== undefined;
}

export interface Unseen {
  why: string;
  hint: string;
  exitCode: ExitCode;
}

/** What of this session could not be seen, in words; null where nothing can hide it. */
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
