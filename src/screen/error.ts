// Errors of GNU screen, recognised by their wording: screen has only exit codes 0 and 1.
//
// "There is no such session" is an answer. Any failure to ask has another reason.

import { type ErrorFacts, exitCodes, HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";

export type ScreenReason = keyof typeof hints;

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

/** From screen's output; it prints errors to stdout too. */
export function screenFailure(printed: string, verb: string): ScreenError {
  const text = printed.trim();
  const last = harmless(text.split("\n").at(-1) ?? "") || "failed without a message";
  return new ScreenError(reasonOf(text), `screen ${verb}: ${last}`);
}

const hints = {
  missing: "the viewer shows teams in GNU screen; install it",
  "no-session": "list the sessions: screen -ls",
  dead: "remove its leftovers: screen -wipe",
  several: "list them: screen -ls",
  timeout: "it hangs; check whether this works: screen -ls",
  failed: "check whether this works: screen -ls",
};

function reasonOf(text: string): ScreenReason {
  if (/There are several suitable screens/.test(text)) return "several";
  return /No screen session found\.$/.test(text) ? "no-session" : "failed";
}
