// Errors that the user can act on. Any other error is a bug and keeps its stack.

/** The exit codes of every command. */
export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  couldNotLook: 3,
  queued: 4,
  held: 5,
  /** Same as the program `timeout`. */
  timedOut: 124,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface ErrorFacts {
  /** What to type next: a command, or one sentence. */
  hint?: string;
  exitCode?: ExitCode;
  cause?: unknown;
}

/** An error that the user can fix: the message says what is wrong, the hint what to do. */
export class HiveError extends Error {
  override name = "HiveError";
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, "cause" in facts ? { cause: facts.cause } : undefined);
    this.hint = facts.hint;
    this.exitCode = facts.exitCode ?? exitCodes.refused;
  }
}

/** The command line itself was wrong. */
export class UsageError extends HiveError {
  override name = "UsageError";

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, { exitCode: exitCodes.usage, ...facts });
  }
}

/** The system's code, such as `ENOENT`, of any thrown value. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
