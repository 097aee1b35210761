// The client's config folder.

import { join } from "node:path";

/** The variable names the parent of the folder, not the folder itself. */
export const homeVariable = "GEMINI_CLI_HOME";

/** `$GEMINI_CLI_HOME/.gemini`, else `$HOME/.gemini`, else null: a folder is never guessed. */
export function geminiHome(env: NodeJS.ProcessEnv = process.env): string | null {
  const parent = env[homeVariable] || env.HOME;
  return parent ? join(parent, ".gemini") : null;
}
