// Random names, from the system itself: node's crypto takes longer to load than a short command has for all the rest.

import { closeSync, openSync, readSync } from "node:fs";

export function randomHex(bytes: number): string {
  const random = Buffer.alloc(bytes);
  const fd = openSync("/dev/urandom", "r");
  try {
    readSync(fd, random);
  } finally {
    closeSync(fd);
  }
  return random.toString("hex");
}
