// Which pid namespace a process is in: a container has its own, and pids mean something else there.

import { readlinkSync } from "node:fs";

/** `pid:[4026531836]`, the kernel's own notation. Null if the system has none, or does not say. */
export function pidNamespace(pid: number | "self" = "self"): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return null;
  }
}
