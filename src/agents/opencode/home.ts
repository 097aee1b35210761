// The client's data folder.

import { dirname, join } from "node:path";
import { shellWord } from "../../base/text/shell-word.js";

/** The variable names the parent of the folder, not the folder itself. */
export const homeVariable = "XDG_DATA_HOME";

/** `$XDG_DATA_HOME/opencode`, else `$HOME/.local/share/opencode`, else null: a folder is never guessed. */
export function opencodeHome(env: NodeJS.ProcessEnv = process.env): string | null {
  if (env[homeVariable]) return join(env[homeVariable], "opencode");
  return env.HOME ? join(env.HOME, ".local", "share", "opencode") : null;
}

/** Names the folder only if the environment does not. */
export function resumeCommand(
  { id, folder }: { id: string; folder: string },
  env: NodeJS.ProcessEnv,
): string {
  const isOwn = opencodeHome(env) === folder;
  return `${isOwn ? "" : `${homeVariable}=${shellWord(dirname(folder))} `}opencode -s ${id}`;
}
