// The client's config folder.

import { join } from "node:path";
import { shellWord } from "../../base/text/shell-word.js";

/** `$CODEX_HOME`, else `$HOME/.codex`, else null: a folder is never guessed. */
export function codexHome(env: NodeJS.ProcessEnv = process.env): string | null {
  if (env.CODEX_HOME) return env.CODEX_HOME;
  return env.HOME ? join(env.HOME, ".codex") : null;
}

/** Names the folder only if the environment does not. */
export function resumeCommand(
  { id, folder }: { id: string; folder: string },
  env: NodeJS.ProcessEnv,
): string {
  const isOwn = codexHome(env) === folder;
  return `${isOwn ? "" : `CODEX_HOME=${shellWord(folder)} `}codex resume ${id}`;
}
