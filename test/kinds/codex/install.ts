// The real Codex in its pinned version.

import { installFromNpm } from "../../from-npm.js";

export const codexVersion = "0.166.0";

/** The script of the package: it starts the native program as its child. */
export function installCodex(): Promise<string> {
  return installFromNpm({
    name: "codex",
    version: codexVersion,
    package: "@openai/codex",
    program: "@openai/codex/bin/codex.js",
  });
}
