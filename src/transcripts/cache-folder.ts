// Where the index keeps what it has read. Disposable, and not a store: it may be removed at any time.
//
// [CHF1] A relative XDG_CACHE_HOME is ignored, as the rules of XDG say: the cache would lie in whatever folder one is in.

import { isAbsolute, join } from "node:path";

/** Without a home of any kind it lies in `fallback`. */
export function cacheFolder(env: NodeJS.ProcessEnv, fallback: () => string): string {
  const named = cacheHome(env);
  if (named !== null) return join(named, "hivemind");
  return env.HOME ? join(env.HOME, ".cache", "hivemind") : join(fallback(), "cache");
}

/** What somebody chose for all caches; null where nobody did. */
export function cacheHome({ XDG_CACHE_HOME: named = "" }: NodeJS.ProcessEnv): string | null {
  return isAbsolute(named) ? named : null;
}
