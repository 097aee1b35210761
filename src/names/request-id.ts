// The id of a request that waits for a person: `req-` and eight characters of a-z and 2-7.

import { base32Letters } from "./agent-id.js";

export type RequestId = `req-${string}`;

export function isRequestId(value: string): value is RequestId {
  return /^req-[a-z2-7]{8}$/.test(value);
}

/** Forty bits of the digest: nobody finds a second request with the same id while a person reads. */
export function requestId(digest: Uint8Array): RequestId {
  return `req-${base32Letters(digest.subarray(0, 8))}`;
}
