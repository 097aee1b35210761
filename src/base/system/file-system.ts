// What the file system of a folder can do.

import { statfsSync } from "node:fs";

/** FAT and exFAT, by their Linux type numbers. False where the numbers mean something else. */
export function lacksLinks(folder: string): boolean {
  return process.platform === "linux" && hasNoLinks(statfsSync(folder).type);
}

export function hasNoLinks(type: number): boolean {
  return [0x4d44, 0x2011bab0].includes(type);
}
