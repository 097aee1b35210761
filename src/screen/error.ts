// What can go wrong with GNU screen. Its answers are told apart by their wording: it knows only exit codes 0 and 1.
//
// [GSE1] "There is no such session" is an answer. Everything else that keeps us from asking is another reason.

import { type ErrorFacts, exitCodes, HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";

export type ScreenReason = "missing" | "no-session" | "dead" | "several" | "timeout" | "failed";

export class ScreenError extends HiveError {
  override name = "ScreenError";
  readonly reason: ScreenReason;

  constructor(reason: ScreenReason, message: string, facts: ErrorFacts = {}) {
    const isAnswer = reason === "no-session" || reason === "dead" || reason === "several";
    super(message, {
      hint: hints[reason],
      exitCode: isAnswer ? exitCodes.refused : exitCodes.couldNotLook,
      ...facts,
    });
    this.reason = reason;
  }
}

/** From what screen printed; it uses stdout for its complaints too. */
export function screenFailure(printed: string, verb: string): ScreenError {
  const said = printed.trim();
  const last = harmless(said.split("\n").at(-1) ?? "") || "failed without a word";
  return new ScreenError(reasonOf(said), `screen ${verb}: ${last}`);
}

const hints: Record<ScreenReason, string> = {
  missing: "install GNU screen, and see that PATH leads to it",
  "no-session": "see what is there: screen -ls",
  dead: "remove what it left behind: screen -wipe",
  several: "see them: screen -ls",
  timeout: "it hangs; see whether this answers: screen -ls",
  failed: "see whether this answers: screen -ls",
};

function reasonOf(said: string): ScreenReason {
  if (/There are several suitable screens/.test(said)) return "several";
  return /No screen session found\.$/.test(said) ? "no-session" : "failed";
}
