// Our own ids for messages, in the client's form: it orders messages by their ids, and keeps the one that we give.
//
// `msg_`, 12 hexadecimal digits of the time, and 14 letters and digits. The client's own last part is random; ours is
// made from the id of the message, so that a record proves which message it is.

import { createHash } from "node:crypto";

export function messageIdFor(letter: string, nowMs: number): string {
  // The client's own: milliseconds times 4096 plus a counter, in 48 bits.
  const time = BigInt.asUintN(48, BigInt(nowMs) * 0x1000n + 1n);
  return `msg_${time.toString(16).padStart(12, "0")}${markOf(letter)}`;
}

export function isMessageOf(recorded: string, letter: string): boolean {
  return /^msg_[0-9a-f]{12}/.test(recorded) && recorded.slice(16) === markOf(letter);
}

function markOf(letter: string): string {
  return createHash("sha256").update(`hivemind ${letter}`).digest("hex").slice(0, 14);
}
