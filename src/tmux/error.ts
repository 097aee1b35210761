// Errors of tmux, recognised by their wording: tmux reports every failure as exit code 1.
//
// "There is no server" has two exact wordings. Any failure to ask has another reason, so that "could not ask" is
// never taken for "nothing there".

import { type ErrorFacts, exitCodes, HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";

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

/** From tmux's stderr; `verb` is the command that failed. */
export function tmuxFailure(stderr: string, verb: string): TmuxError {
  const text = stderr.trim();
  const facts =
    text === "command too long" ? { hint: "tmux accepts about 16,000 bytes: put long text into a file" } : {};
  return new TmuxError(
    reasonOf(text),
    `tmux ${verb}: ${harmless(text) || "failed without a message"}`,
    facts,
  );
}

const hints: Record<TmuxReason, string> = {
  "no-server": "start a team: hivemind team setup TEAM ROLE",
  "no-target": "list the panes: hivemind status",
  duplicate: "choose another name; list the teams: hivemind team list",
  timeout: "the tmux server hangs; check it: hivemind doctor",
  missing: "install tmux 3.2 or newer, and check that it is in PATH",
  failed: "check tmux: hivemind doctor",
};

function reasonOf(text: string): TmuxReason {
  // A wrapper around tmux may have printed a line before it.
  if (/^no server running on /m.test(text)) return "no-server";
  if (/^error connecting to .* \(No such file or directory\)$/ms.test(text)) return "no-server";
  // A command read from a file may be reported with its line number in front.
  if (/(^|: )(can't find|no such) (pane|window|session|client): /m.test(text)) return "no-target";
  if (text === "no current target") return "no-target";
  if (/^duplicate session: /.test(text)) return "duplicate";
  return "failed";
}

/** tmux's wording when the last pane, and so the server, has just gone. */
export function isEnding(failure: TmuxError | null): boolean {
  return failure !== null && /: (server exited unexpectedly|lost server)$/.test(failure.message);
}
