// The command that a person types to continue a conversation. Pure.
//
// The client looks into one config folder only. The command sets CLAUDE_CONFIG_DIR if the folder is not the one of
// the environment. For the standard folder it unsets the variable instead: with the variable set, even to the
// standard folder, the client keeps its settings elsewhere.

import { dirname, resolve } from "node:path";
import { shellWord } from "../../base/text/shell-word.js";
import { claudeHome } from "./home.js";

/** `path` is in `<config folder>/projects/<slug>/`. */
export function clientFor(path: string, env: NodeJS.ProcessEnv): string {
  const folder = dirname(dirname(dirname(resolve(path))));
  const isFor = (home: string | null) => home !== null && resolve(home) === folder;
  if (isFor(claudeHome(env))) return "claude";
  if (isFor(claudeHome({ HOME: env.HOME }))) return "env -u CLAUDE_CONFIG_DIR claude";
  return `CLAUDE_CONFIG_DIR=${shellWord(folder)} claude`;
}
