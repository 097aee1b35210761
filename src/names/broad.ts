// Folders that contain everything: an agent started there can read and change all of it.

import { openWorkspace } from "./workspace.js";

/** What the folder is if it is too broad to start in without permission; null otherwise. `path` is canonical. */
export function broadness(path: string, env: NodeJS.ProcessEnv): string | null {
  if (path === "/") return "the root folder";
  const isHome = env.HOME !== undefined && env.HOME !== "" && openWorkspace(env.HOME).path === path;
  return isHome ? "your home folder" : null;
}
