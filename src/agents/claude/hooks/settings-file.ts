// Our hooks in the client's settings file: added, removed and looked up.

import { join } from "node:path";
import { HiveError } from "../../../base/errors.js";
import {
  type Added,
  type Addition,
  additionState,
  addTo,
  removeFrom,
} from "../../../base/files/edited-file.js";
import { claudeHome } from "../home.js";
import { hasHooks, withHooks, withoutHooks } from "./settings-text.js";

/** The user's own settings. */
export function userSettings(env: NodeJS.ProcessEnv): string {
  const folder = claudeHome(env);
  if (folder !== null) return join(folder, "settings.json");
  throw new HiveError("HOME is not set, so the client's settings cannot be found", {
    hint: "set HOME, or CLAUDE_CONFIG_DIR to the folder that holds them",
  });
}

export function projectSettings(folder: string): string {
  return join(folder, ".claude", "settings.json");
}

export function installHooks(path: string, hookFolder: string): Promise<Added> {
  return addTo(path, hooksIn(hookFolder));
}

/** False if the file had nothing of ours. */
export function removeHooks(path: string): Promise<boolean> {
  return removeFrom(path, hooksIn(""));
}

export function hooksState(path: string, hookFolder: string): ReturnType<typeof additionState> {
  return additionState(path, hooksIn(hookFolder));
}

function hooksIn(hookFolder: string): Addition {
  return {
    isIn: hasHooks,
    added: (text, before) => withHooks(text, hookFolder, before),
    removed: withoutHooks,
  };
}
