// What a person reads of a failure.

import { HiveError } from "../base/errors.js";

/** Anything but a refusal is a bug: its stack belongs to whoever mends it, its first line to the person. */
export function failureLines(error: unknown): string[] {
  if (error instanceof HiveError) return [error.message, ...(error.hint === undefined ? [] : [error.hint])];
  const text = error instanceof Error ? (error.stack ?? error.message).split("\n")[0] : String(error);
  return [`this is a bug: ${text}`];
}
