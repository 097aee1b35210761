// The client as a person types it to go on with a conversation. Pure.
//
// [CLF1] It looks into one config folder alone: one that is not the environment's is named before it. The standard one is
//        not named but left unset: named, the client keeps its settings elsewhere.

import { dirname, resolve } from "node:path";
import { shellWord } from "../../base/shell-word.js";
import { claudeHome } from "./home.js";

/** `path` lies in `<config folder>/projects/<slug>/`. */
export function clientFor(path: string, env: NodeJS.ProcessEnv): string {
  const folder = dirname(dirname(dirname(resolve(path))));
  const isFor = (home: string | null) => home !== null && resolve(home) === folder;
  if (isFor(claudeHome(env))) return "claude";
  if (isFor(claudeHome({ HOME: env.HOME }))) return "env -u CLAUDE_CONFIG_DIR claude";
  return `CLAUDE_CONFIG_DIR=${shellWord(folder)} claude`;
}
