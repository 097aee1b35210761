// Finds programs as a shell would.

import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** Every program of that name in PATH, the one that a shell runs first. Links to the same file count once. */
export function onPath(name: string, { PATH = "" }: NodeJS.ProcessEnv): string[] {
  const found = new Map<string, string>();
  // A relative folder in PATH would mean another program in each working directory.
  for (const folder of PATH.split(delimiter).filter(isAbsolute)) {
    const path = join(folder, name);
    const real = isProgram(path) ? realpathSync(path) : null;
    if (real !== null && !found.has(real)) found.set(real, path);
  }
  return [...found.values()];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
