// The user's tmux configuration: which file, and our block in it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { HiveError } from "../../base/errors.js";
import { additionState } from "../../base/files/edited-file.js";
import { blockAddition } from "./config-block.js";

/**
 * tmux reads all of these files, in this order. The file with our block counts, else the last one that exists, so that
 * our lines come after the user's own; else the first one.
 */
export function configPath(env: NodeJS.ProcessEnv): string {
  const { HOME: home, XDG_CONFIG_HOME: xdg } = env;
  if (!home)
    throw new HiveError("HOME is not set, so the tmux configuration cannot be found", { hint: "set HOME" });
  const folders = [...(xdg ? [xdg] : []), join(home, ".config")];
  const first = join(home, ".tmux.conf");
  const there = [first, ...folders.map((folder) => join(folder, "tmux", "tmux.conf"))].filter((path) =>
    existsSync(path),
  );
  return there.find(hasBlock) ?? there.at(-1) ?? first;
}

/** A file whose marker lines are out of order counts too: it is the one to repair. */
function hasBlock(path: string): boolean {
  return additionState(path, blockAddition("")).state !== "absent";
}
