// Whether there is room for what a command will write, asked before it changes tmux: that cannot be taken back.

import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { rehearseWrite } from "../base/atomic-file.js";
import { limits } from "../limits.js";
import { guard } from "./error.js";
import type { StorePaths } from "./folder.js";

/** Each may lie on a disk of its own. Nothing is left behind. */
export function needRoom({ roles, sessions, teams }: StorePaths): void {
  const folders = new Map<string, string[]>();
  for (const path of [roles, sessions, teams])
    folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), path]);
  for (const paths of folders.values()) {
    const neededBytes = paths.reduce<number>((sum, path) => sum + sizeOf(path), limits.leastRoomBytes);
    const sizeBytes = Math.min(neededBytes, limits.mostRoomBytes);
    guard(paths[0]!, () => rehearseWrite(paths[0]!, sizeBytes));
  }
}

function sizeOf(path: string): number {
  const stat = guard(path, () => lstatSync(path, { throwIfNoEntry: false }));
  return stat?.isFile() ? stat.size : 0;
}
