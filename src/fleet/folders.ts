// The config folders of the clients that hivemind searches for transcripts and for registry files.
//
// - the folder of this environment
// - the standard folder in HOME, if it exists
// - folders that agents were seen to use before
// - folders of the running agents
//
// So a user with a CLAUDE_CONFIG_DIR sees the same conversations as a user without one. A folder that is reachable
// by several paths is searched once, by the first path.

import { defaultFolder } from "../agents/all.js";
import { realPath } from "../base/files/real-path.js";
import { mayBeThere } from "../stores/file/whole-files.js";
import type { FleetPane } from "./panes.js";

export function searchedFolders(
  env: NodeJS.ProcessEnv,
  accounts: readonly string[],
  panes: readonly Pick<FleetPane, "folder">[],
): string[] {
  const standard = standardFolder(env);
  const folders = [
    defaultFolder(env) ?? [],
    standard !== null && mayBeThere(standard) ? standard : [],
    accounts,
    panes.flatMap(({ folder }) => folder ?? []),
  ].flat();
  const byPlace = new Map<string, string>();
  for (const folder of new Set(folders)) {
    const place = realPath(folder) ?? folder;
    if (!byPlace.has(place)) byPlace.set(place, folder);
  }
  return [...byPlace.values()];
}

/** The folder of a client without CLAUDE_CONFIG_DIR. */
export function standardFolder({ HOME }: NodeJS.ProcessEnv): string | null {
  return defaultFolder({ HOME });
}
