// The name of a managed (claw) session. It is also the beginning of a file's name, so its gate is narrow.
//
// [CWI1] An id is letters, digits, `_` and `-`, begins with no `-`, and is no word that means "the newest", in any case.
//        So no id has a dot or a slash: it cannot climb out of its folder, nor be taken for a rotated file.
// [CWI2] Ids we make are `session-<unix ms>-<counter>`; two of one process are never equal, whatever the clock does.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { limits } from "../limits.js";

/** The name of a conversation in a managed store; it means something only inside its workspace. */
export type ManagedId = string & { readonly brand: "ManagedId" };

const newestWords: readonly string[] = ["latest", "last", "recent"];

/** A word that names the newest session instead of an id, in upper or lower case. */
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

/** Of a value from a foreign file; null for what is no id. */
export function readManagedId(value: unknown): ManagedId | null {
  return typeof value === "string" && isManagedId(value) ? value : null;
}

/** Another one at each call. Whether another process has it is seen where its file is made. */
export function newManagedId(nowMs: number): ManagedId {
  counter = nowMs > lastMs ? 0 : counter + 1;
  lastMs = Math.max(nowMs, lastMs);
  return `session-${lastMs}-${counter}` as ManagedId;
}

const form = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/;
let lastMs = 0;
let counter = 0;
