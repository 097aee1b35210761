// What could not be read is said beside the result, and is no result.

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

/** Of what was refused or failed. Among them something that nobody could look at: what was done is not all there is. */
export function troubleCode(troubles: readonly { exitCode?: ExitCode }[]): ExitCode | undefined {
  if (troubles.length === 0) return undefined;
  const isUnseen = troubles.some(({ exitCode }) => exitCode === exitCodes.couldNotLook);
  return isUnseen ? exitCodes.couldNotLook : exitCodes.refused;
}
