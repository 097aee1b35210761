// Whether queued messages are delivered at all, in words for every command that shows some.

import type { StorePaths } from "../stores/file/folder.js";

/** What to print below queued messages; null where a watcher delivers them. */
export async function undelivered(paths: StorePaths): Promise<string | null> {
  const { watcherOf } = await import("../watch/watcher.js");
  return watcherOf(paths) === null ? "Nobody is delivering: hivemind watch --background" : null;
}
