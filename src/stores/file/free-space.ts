// Checks for disk space before a command changes tmux, because that cannot be undone.

import { dirname } from "node:path";
import { fileSize, rehearseWrite } from "../../base/files/atomic-file.js";
import { limits } from "../../limits.js";
import { guard } from "./error.js";
import type { StorePaths } from "./folder.js";

/** Each file may be on another disk. Leaves nothing behind. */
export function needRoom({ roles, sessions, teams }: StorePaths): void {
  const folders = new Map<string, string[]>();
  for (const path of [roles, sessions, teams])
    folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), path]);
  for (const paths of folders.values()) {
    const neededBytes = paths.reduce<number>(
      (sum, path) => sum + guard(path, () => fileSize(path)),
      limits.leastRoomBytes,
    );
    const sizeBytes = Math.min(neededBytes, limits.mostRoomBytes);
    guard(paths[0]!, () => rehearseWrite(paths[0]!, sizeBytes));
  }
}
