// Folders that hold everything: an agent that begins there may read and change all of it.

import { realpathSync } from "node:fs";
import { HiveError } from "../base/errors.js";

/** The folder with its links resolved. One that is missing, or broad without leave, is refused. */
export function workFolder(path: string, env: NodeJS.ProcessEnv, isBroadAllowed: boolean): string {
  const real = realPath(path);
  if (real === null) throw new HiveError(`there is no folder ${path}`, { hint: `mkdir -p ${path}` });
  const isBroad = real === "/" || (env.HOME !== undefined && real === realPath(env.HOME));
  if (isBroad && !isBroadAllowed) {
    const what = real === "/" ? "the root of everything" : "your home folder";
    throw new HiveError(`refused to begin in ${real}: it is ${what}`, {
      hint: "name a project's folder with --cwd, or say --allow-broad-cwd",
    });
  }
  return real;
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
