// The folder of the index's cache. It is disposable and not a store: it may be removed at any time.
//
// A relative XDG_CACHE_HOME is ignored, as the XDG rules say: the cache would depend on the current folder.

import { isAbsolute, join } from "node:path";

/** `fallback` gives the folder if there is no home of any kind. */
export function cacheFolder(env: NodeJS.ProcessEnv, fallback: () => string): string {
  const named = cacheHome(env);
  if (named !== null) return join(named, "hivemind");
  return env.HOME ? join(env.HOME, ".cache", "hivemind") : join(fallback(), "cache");
}

/** The folder for all caches, if one is set. */
export function cacheHome({ XDG_CACHE_HOME: named = "" }: NodeJS.ProcessEnv): string | null {
  return isAbsolute(named) ? named : null;
}
