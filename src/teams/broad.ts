// The folder an agent begins in: one that is there, and broad only with leave.

import { realpathSync } from "node:fs";
import { HiveError } from "../base/errors.js";
import { shellWord } from "../base/shell-word.js";
import { broadness } from "../names/broad.js";

/** The folder with its links resolved. One that is missing, or broad without leave, is refused. */
export function workFolder(
  path: string,
  env: NodeJS.ProcessEnv,
  isBroadAllowed: boolean,
  hint = "name a project's folder with --cwd, or say --allow-broad-cwd",
): string {
  const real = realPath(path);
  if (real === null)
    throw new HiveError(`there is no folder ${path}`, { hint: `mkdir -p ${shellWord(path)}` });
  const what = broadness(real, env);
  if (what !== null && !isBroadAllowed) {
    throw new HiveError(`refused to begin in ${real}: it is ${what}`, { hint });
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
