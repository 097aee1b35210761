// The folder that a process works in.

import { readlinkSync } from "node:fs";
import { folderByLsof } from "./lsof.js";

/** Null if it is unknown. */
export const folderOfProcess: (pid: number) => string | null =
  process.platform === "linux" ? folderByProc : folderByLsof;

export function folderByProc(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}
