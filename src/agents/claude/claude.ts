// Claude Code, as hivemind sees it.

import { basename } from "node:path";
import type { ProcessInfo } from "../../processes/process.js";
import type { Agent } from "../agent.js";
import { scriptOf } from "../script.js";
import { sessionArguments } from "./arguments.js";
import { readBox } from "./box.js";
import { whyNotEntered } from "./command-text.js";
import { holdsMore, shownAs } from "./compare.js";
import { claudeHome } from "./home.js";
import { readJobs } from "./jobs.js";
import { readLastWords } from "./last-words.js";
import { claudeProgram, launchArguments } from "./launch.js";
import { claudeLines } from "./lines.js";
import { modelSetup, modelVariables } from "./model-setup.js";
import { leftSession, liveSession, registeredPids } from "./registry.js";
import { readActivity } from "./screen.js";
import { shapeText } from "./shape.js";
import { readStatus } from "./status-dialog.js";
import { cleanTitle } from "./title.js";

export const claude: Agent = {
  kind: "claude",
  hasUuids: true,
  recognises,
  folderOf: (ownFolder, env) => ownFolder ?? claudeHome(env),
  liveSession,
  registeredPids,
  leftSession,
  jobs: readJobs,
  program: claudeProgram,
  launch: launchArguments,
  argumentsOf: sessionArguments,
  modelVariables,
  modelSetup,
  nameInTitle: cleanTitle,
  transcripts: claudeLines,
  readBox,
  shapeText,
  shownAs,
  holdsMore,
  whyNotEntered,
  readActivity,
  readStatus,
  readLastWords,
  isListTitle: (title) => /(^|· )claude agents$/.test(title),
};

/**
 * The native program is called `claude`; older ones were a script that node ran, under that name or as cli.js.
 * With `-p` it answers once and ends: a tool that somebody runs, no agent to talk to.
 */
function recognises({ command, args }: ProcessInfo): boolean {
  if (args.includes("-p") || args.includes("--print") || runsService(args)) return false;
  if (command === "claude" || basename(args[0] ?? "") === "claude") return true;
  const script = scriptOf(args) ?? "";
  return basename(script) === "claude" || /@anthropic-ai\/claude-code\/cli\.m?js$/.test(script);
}

/** Words behind the program's name with which it serves other processes, or does one thing and ends. */
const services = new Set(
  "auth auto-mode bg-pty-host config daemon doctor install logs mcp plugin plugins respawn rm setup-token stop update".split(
    " ",
  ),
);

function runsService(args: readonly string[]): boolean {
  const words = args.slice(scriptOf(args) === null ? 1 : 2);
  return services.has(words[0] ?? "") || words.includes("--bg-pty-host");
}
