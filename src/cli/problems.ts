// Warnings about unreadable files beside a result, and the exit codes that follow from them.

import { type ExitCode, exitCodes } from "../base/errors.js";
import type { Problem } from "../transcripts/transcript.js";
import { type Output, shown } from "./output.js";

const named = 3;

/** Prints the problems. If the result is empty and something was unreadable, the exit code says so. */
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

/** The exit code for refusals and failures: 3 if any of them means that hivemind could not look, else 1. */
export function troubleCode(troubles: readonly { exitCode?: ExitCode }[]): ExitCode | undefined {
  if (troubles.length === 0) return undefined;
  const isUnseen = troubles.some(({ exitCode }) => exitCode === exitCodes.couldNotLook);
  return isUnseen ? exitCodes.couldNotLook : exitCodes.refused;
}
