// Where the index keeps what it has read. Disposable, and not a store: it may be removed at any time.

import { join } from "node:path";

/** Without a home of any kind it lies in `fallback`. */
export function cacheFolder(env: NodeJS.ProcessEnv, fallback: () => string): string {
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, "hivemind");
  return env.HOME ? join(env.HOME, ".cache", "hivemind") : join(fallback(), "cache");
}
