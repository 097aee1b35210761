// The tokens of open pages. They live in memory only, as hashes, and end with the server.
//
// [WT1] A token that was not used for `tokenIdleMs` is none. If there are too many, the one unused for longest ends.
// [WT2] Comparing takes the same time for every wrong token: only hashes are compared.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { limits } from "../limits.js";

/** Names a token in bounds and counts, without being one. */
export type Bearer = string;

export interface Tokens {
  /** A new token. */
  issue(): string;
  /** Null if it is none. */
  bearerOf(token: string): Bearer | null;
}

export interface TokenOptions {
  /** The token of a file: it never ends. */
  lasting?: string | null;
  /** An open stream is use. */
  isInUse?(bearer: Bearer): boolean;
  /** A monotonic clock. */
  now?(): number;
}

export function openTokens({
  lasting = null,
  isInUse = () => false,
  now = () => performance.now(),
}: TokenOptions = {}): Tokens {
  /** Hash → last use; the one used last is at the end. */
  const used = new Map<Bearer, number>();
  const always = lasting === null ? null : hashOf(lasting);

  function sweep(): void {
    for (const [hash, lastMs] of [...used]) {
      if (now() - lastMs < limits.tokenIdleMs && used.size <= limits.tokens) return;
      used.delete(hash);
      if (isInUse(hash)) used.set(hash, now());
    }
  }

  return {
    issue() {
      const token = randomBytes(32).toString("base64url");
      used.set(hashOf(token), now());
      sweep();
      return token;
    },
    bearerOf(token) {
      const hash = hashOf(token);
      if (always !== null && isSame(hash, always)) return hash;
      sweep();
      if (!used.delete(hash)) return null;
      used.set(hash, now());
      return hash;
    },
  };
}

export function isSameSecret(given: string, expected: string): boolean {
  return isSame(hashOf(given), hashOf(expected));
}

function hashOf(text: string): Bearer {
  return createHash("sha256").update(text).digest("hex");
}

function isSame(a: Bearer, b: Bearer): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
