// The id of a managed (claw) session. It is also the beginning of a file's name, so its form is strict.
//
// - An id has letters, digits, `_` and `-`, does not begin with `-`, and is not a word for "the newest", in any
//   case. Without dots and slashes it cannot leave its folder or look like a rotated file.
// - Our own ids are `session-<unix ms>-<counter>`. Two ids of one process always differ, whatever the clock does.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { limits } from "../limits.js";

/** The id of a conversation in a managed store, valid only inside its workspace. */
export type ManagedId = string & { readonly brand: "ManagedId" };

const newestWords: readonly string[] = ["latest", "last", "recent"];

/** A word for the newest session instead of an id, in any case. */
export function isNewestWord(ref: string): boolean {
  return newestWords.includes(ref.toLowerCase());
}

export const managedIdRule =
  `a managed session's id is letters, digits, _ and -, does not start with -, is none of ${newestWords.join(", ")}, ` +
  `and has at most ${limits.managedIdLength} characters`;

export function isManagedId(value: string): value is ManagedId {
  return value.length <= limits.managedIdLength && form.test(value) && !isNewestWord(value);
}

export function managedId(value: string): ManagedId {
  if (isManagedId(value)) return value;
  const shown = value.length > 80 ? `${value.slice(0, 80)}… (${value.length} characters)` : value;
  throw new HiveError(`refused "${harmless(shown)}": ${managedIdRule}`);
}

/** For a value from a foreign file; null if it is not an id. */
export function readManagedId(value: unknown): ManagedId | null {
  return typeof value === "string" && isManagedId(value) ? value : null;
}

/** A new one at each call. Creating its file shows whether another process has it. */
export function newManagedId(nowMs: number): ManagedId {
  counter = nowMs > lastMs ? 0 : counter + 1;
  lastMs = Math.max(nowMs, lastMs);
  return `session-${lastMs}-${counter}` as ManagedId;
}

const form = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/;
let lastMs = 0;
let counter = 0;
