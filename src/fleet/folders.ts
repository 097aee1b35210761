// The clients' config folders that are looked into: for transcripts, and for who holds a conversation.
//
// [SFO1] These are the one of the environment, the standard one of HOME if it is there at all, those that agents were seen
//        to use before and those of the agents that run: who has a CLAUDE_CONFIG_DIR of their own sees the same
//        conversations as who has none.
// [SFO2] A folder that goes by several paths is looked into once, by the first of them.

import { realpathSync } from "node:fs";
import { defaultFolder } from "../agents/all.js";
import { errorCode } from "../base/errors.js";
import { mayBeThere } from "../stores/whole-files.js";
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
    const place = placeOf(folder);
    if (!byPlace.has(place)) byPlace.set(place, folder);
  }
  return [...byPlace.values()];
}

/** The one of who has no CLAUDE_CONFIG_DIR. */
export function standardFolder({ HOME }: NodeJS.ProcessEnv): string | null {
  return defaultFolder({ HOME });
}

function placeOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return folder;
  }
}
