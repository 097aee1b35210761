// Claude Code, as hivemind sees it.

import { basename } from "node:path";
import type { ProcessInfo } from "../../processes/process.js";
import type { Agent } from "../agent.js";
import { claudeHome } from "./home.js";
import { liveSession } from "./registry.js";

export const claude: Agent = {
  kind: "claude",
  recognises,
  folderOf: (ownFolder, env) => ownFolder ?? claudeHome(env),
  liveSession,
};

/** The native program is called `claude`; older ones were a script that node ran, under that name or as cli.js. */
function recognises({ command, args }: ProcessInfo): boolean {
  if (command === "claude" || basename(args[0] ?? "") === "claude") return true;
  const script = args[1] ?? "";
  return basename(script) === "claude" || /@anthropic-ai\/claude-code\/cli\.m?js$/.test(script);
}
