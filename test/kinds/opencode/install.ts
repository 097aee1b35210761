// The real OpenCode in its pinned version.

import { installFromNpm } from "../../from-npm.js";

export const opencodeVersion = "1.18.33";

/** The native program. npm's own link is made by an install script, which does not run here. */
export function installOpencode(): Promise<string> {
  // Its builds for older processors have `-baseline` in their name; every processor runs them.
  const native = `opencode-linux-${process.arch}${process.arch === "x64" ? "-baseline" : ""}`;
  return installFromNpm({
    name: "opencode",
    version: opencodeVersion,
    package: "opencode-ai",
    program: `${native}/bin/opencode`,
  });
}
