// Claude Code as an agent.

import { basename } from "node:path";
import type { ProcessInfo } from "../../base/system/process.js";
import { limits } from "../../limits.js";
import type { Agent } from "../agent.js";
import { scriptOf } from "../script.js";
import { bypassMode, permissionModeAsked, sessionArguments } from "./arguments.js";
import { clientFor } from "./client-for.js";
import { claudeHome } from "./home.js";
import { inbox } from "./inbox.js";
import { readJobs } from "./jobs.js";
import { claudeProgram, launchArguments } from "./launch.js";
import { modelSetup, modelVariables } from "./model-setup.js";
import { leftSession, liveSession, registeredPids, registryFile, registryFolder } from "./registry.js";
import { requests } from "./request.js";
import { readBox } from "./screen/input-box.js";
import { readActivity } from "./screen/screen.js";
import { shownMode } from "./screen/shown-mode.js";
import { readStatus } from "./screen/status-dialog.js";
import { isObeyedLine, whyNotEntered } from "./text/command-text.js";
import { holdsMore, shownAs } from "./text/compare.js";
import { readLastWords } from "./text/last-words.js";
import { shapeText } from "./text/shape.js";
import { cleanTitle, unmarkedTitle } from "./title.js";
import { claudeTranscripts } from "./transcript/find.js";
import { digestOf, proofIn } from "./transcript/message-records.js";
import { turnIn } from "./transcript/message-turn.js";
import { lastPermissionMode } from "./transcript/permission-mode.js";
import { addUsageLines } from "./transcript/usage-history.js";
import { readUtterance, textMembers } from "./transcript/utterance.js";

export const claude: Agent = {
  kind: "claude",
  recognises,
  program: claudeProgram,
  argumentsOf: sessionArguments,
  home: {
    variable: "CLAUDE_CONFIG_DIR",
    folderOf: (own, env) => own ?? claudeHome(env),
    valueFor: (folder) => folder,
  },
  registry: {
    liveSession,
    registeredPids,
    reports: { folder: registryFolder, file: registryFile },
    leftSession,
    jobs: readJobs,
  },
  start: {
    // Several at once race for one refresh token.
    resumeCommand: ({ id, path }, env) => `${clientFor(path, env)} --resume ${id}`,
    pace: { atOnce: 1, gapMs: limits.startGapMs },
    forks: true,
    givesTools: true,
    launch: launchArguments,
  },
  titles: {
    nameInTitle: cleanTitle,
    isListTitle: (title) => /(^|· )claude agents$/.test(title),
    isMovedTitle: (title) => unmarkedTitle(title) === "current session",
  },
  transcripts: claudeTranscripts,
  spoken: { readUtterance, textMembers, addUsage: addUsageLines },
  messages: { digestOf, proofIn, turnIn },
  keyboard: {
    readBox,
    shapeText,
    obeys: isObeyedLine,
    shownAs,
    holdsMore,
    whyNotEntered,
    renaming: (name) => `/rename ${name}`,
  },
  inbox,
  requests,
  screen: { readActivity, readStatus, readLastWords },
  model: { variables: modelVariables, setup: modelSetup },
  permissions: {
    modeIn: lastPermissionMode,
    modeAsked: permissionModeAsked,
    modeShown: shownMode,
    modes: ["plan", "dontAsk", "default", "manual", "acceptEdits", "auto", bypassMode],
    asking: "default",
    bypassing: bypassMode,
  },
  files: { copy: true, archive: true, rebind: true, move: true },
  lacks: {},
};

/**
 * The native program is called `claude`. Older ones were a script that node ran, under that name or as cli.js. With
 * `-p` it answers once and ends: a tool, not an agent to talk to.
 */
function recognises({ command, args }: ProcessInfo): boolean {
  if (args.includes("-p") || args.includes("--print") || runsService(args)) return false;
  if (command === "claude" || basename(args[0] ?? "") === "claude") return true;
  const script = scriptOf(args) ?? "";
  return basename(script) === "claude" || /@anthropic-ai\/claude-code\/cli\.m?js$/.test(script);
}

/** Subcommands that serve other processes, or do one thing and end. */
const services = new Set(
  "auth auto-mode bg-pty-host config daemon doctor install logs mcp plugin plugins respawn rm setup-token stop update".split(
    " ",
  ),
);

function runsService(args: readonly string[]): boolean {
  const words = args.slice(scriptOf(args) === null ? 1 : 2);
  return services.has(words[0] ?? "") || words.includes("--bg-pty-host");
}
