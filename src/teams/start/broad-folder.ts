// Checks the folder an agent starts in: it exists, and it is broad only with permission.

import { HiveError } from "../../base/errors.js";
import { realPath } from "../../base/files/real-path.js";
import { shellWord } from "../../base/text/shell-word.js";
import { broadness } from "../../names/broad.js";

/** The folder with its links resolved. A missing folder, or a broad one without permission, is refused. */
export function workFolder(
  path: string,
  env: NodeJS.ProcessEnv,
  isBroadAllowed: boolean,
  hint = "give a project's folder with --cwd, or pass --allow-broad-cwd",
): string {
  const real = realPath(path);
  if (real === null)
    throw new HiveError(`there is no folder ${path}`, { hint: `mkdir -p ${shellWord(path)}` });
  const what = broadness(real, env);
  if (what !== null && !isBroadAllowed) {
    throw new HiveError(`refused to start in ${real}: it is ${what}`, { hint });
  }
  return real;
}
