// Programs as a shell would find them.

import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** Every program of that name in PATH, the one that runs first; links to one and the same count once. */
export function onPath(name: string, { PATH = "" }: NodeJS.ProcessEnv): string[] {
  const found = new Map<string, string>();
  // A relative folder in PATH means another program in every folder it is used from.
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
