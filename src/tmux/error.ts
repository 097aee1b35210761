// What can go wrong with tmux, told apart by its wording: tmux reports every failure as exit code 1.
//
// [TE1] "There is no server" is two exact wordings. Everything else that keeps us from asking is another reason,
//       so that nobody takes "could not ask" for "nothing there".

import { type ErrorFacts, exitCodes, HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";

export type TmuxReason = "no-server" | "no-target" | "duplicate" | "timeout" | "missing" | "failed";

export class TmuxError extends HiveError {
  override name = "TmuxError";
  readonly reason: TmuxReason;

  constructor(reason: TmuxReason, message: string, facts: ErrorFacts = {}) {
    const isAnswer = reason === "no-target" || reason === "duplicate";
    super(message, {
      hint: hints[reason],
      exitCode: isAnswer ? exitCodes.refused : exitCodes.couldNotLook,
      ...facts,
    });
    this.reason = reason;
  }
}

export function isTmuxError(error: unknown, reason: TmuxReason): error is TmuxError {
  return error instanceof TmuxError && error.reason === reason;
}

/** From what tmux wrote to stderr; `verb` is the command it was about. */
export function tmuxFailure(stderr: string, verb: string): TmuxError {
  const said = stderr.trim();
  const facts =
    said === "command too long" ? { hint: "tmux takes some 16,000 bytes: put long text in a file" } : {};
  return new TmuxError(reasonOf(said), `tmux ${verb}: ${harmless(said) || "failed without a word"}`, facts);
}

const hints: Record<TmuxReason, string> = {
  "no-server": "begin a team: hivemind team setup TEAM ROLE",
  "no-target": "see what is there: hivemind status",
  duplicate: "choose another name; see what is there: hivemind team list",
  timeout: "the tmux server hangs; see whether this answers: hivemind doctor",
  missing: "install tmux 3.2 or newer, and see that PATH leads to it",
  failed: "see whether this answers: hivemind doctor",
};

function reasonOf(said: string): TmuxReason {
  if (/^no server running on /.test(said)) return "no-server";
  if (/^error connecting to .* \(No such file or directory\)$/s.test(said)) return "no-server";
  // A command read from a file may be reported with its line in front.
  if (/(^|: )(can't find|no such) (pane|window|session|client): /m.test(said)) return "no-target";
  if (said === "no current target") return "no-target";
  if (/^duplicate session: /.test(said)) return "duplicate";
  return "failed";
}
