// What could not be read is said beside the result.

import { type ExitCode, exitCodes } from "../base/errors.js";
import type { Problem } from "../transcripts/transcript.js";
import { type Output, shown } from "./output.js";

const named = 3;

/** An empty result is no result when something could not be read. */
export function noteProblems(
  problems: readonly Problem[],
  isEmpty: boolean,
  out: Output,
): ExitCode | undefined {
  for (const { path, message } of problems.slice(0, named)) {
    out.note(`hivemind: could not read ${shown(path)}: ${shown(message)}`);
  }
  if (problems.length > named) out.note(`hivemind: and ${problems.length - named} more`);
  return isEmpty && problems.length > 0 ? exitCodes.couldNotLook : undefined;
}
