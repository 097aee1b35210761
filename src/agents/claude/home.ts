// The client's config folder.

import { join } from "node:path";

/** `$CLAUDE_CONFIG_DIR`, else `$HOME/.claude`, else null: a folder is never guessed. */
export function claudeHome(env: NodeJS.ProcessEnv = process.env): string | null {
  if (env.CLAUDE_CONFIG_DIR) return env.CLAUDE_CONFIG_DIR;
  return env.HOME ? join(env.HOME, ".claude") : null;
}
