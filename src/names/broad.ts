// Folders that hold everything: who begins there may read and change all of it.

import { openWorkspace } from "./workspace.js";

/** What a folder is, if it is too broad to begin in without leave; null if it is not. `path` is canonical. */
export function broadness(path: string, env: NodeJS.ProcessEnv): string | null {
  if (path === "/") return "the root of everything";
  const isHome = env.HOME !== undefined && env.HOME !== "" && openWorkspace(env.HOME).path === path;
  return isHome ? "your home folder" : null;
}
