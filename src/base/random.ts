// Random names directly from the system: loading node's crypto takes longer than the rest of a short command.

import { closeSync, openSync, readSync } from "node:fs";

export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}

export function randomBytes(bytes: number): Buffer {
  const random = Buffer.alloc(bytes);
  const fd = openSync("/dev/urandom", "r");
  try {
    readSync(fd, random);
  } finally {
    closeSync(fd);
  }
  return random;
}
