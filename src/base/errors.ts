// Errors that a person can act on. Anything that is not one of these is a bug and keeps its stack.

/** What the shell sees. One table for every command. */
export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  couldNotLook: 3,
  queued: 4,
  held: 5,
  /** As the program `timeout` says it. */
  timedOut: 124,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface ErrorFacts {
  /** What to type next: a command, or one sentence. */
  hint?: string;
  exitCode?: ExitCode;
  cause?: unknown;
}

/** Somebody can fix it: the message says what is wrong, the hint what to do. */
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

/** `ENOENT` and its kind, from whatever was thrown. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
