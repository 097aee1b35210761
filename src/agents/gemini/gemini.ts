// Gemini CLI as an agent. It keeps no registry of running processes and has no inbox: its arguments and its log of
// inputs tell the session, its screen tells what it does, and messages are typed.

import { dirname } from "node:path";
import { shellWord } from "../../base/text/shell-word.js";
import { limits } from "../../limits.js";
import type { Agent } from "../agent.js";
import { sessionArguments } from "./arguments.js";
import { endSteps } from "./ending.js";
import { geminiHome, homeVariable } from "./home.js";
import { geminiProgram, launchArguments } from "./launch.js";
import { liveSession } from "./live.js";
import { modelSetup, modelVariables } from "./model-setup.js";
import { prepareStart } from "./prepare.js";
import { recognises } from "./recognise.js";
import { readBox } from "./screen/input-box.js";
import { readActivity } from "./screen/screen.js";
import { readStatus } from "./screen/status-panel.js";
import { isCleanedUp } from "./settings.js";
import { mayRun, whyNotEntered } from "./text/command-text.js";
import { holdsMore, shownAs } from "./text/compare.js";
import { readLastWords } from "./text/last-words.js";
import { shapeText } from "./text/shape.js";
import { geminiTranscripts } from "./transcript/find.js";
import { digestOf, proofIn, turnIn } from "./transcript/message-records.js";
import { addUsageLines } from "./transcript/usage-history.js";
import { readUtterance } from "./transcript/utterance.js";

export const gemini: Agent = {
  kind: "gemini",
  recognises,
  program: geminiProgram,
  argumentsOf: sessionArguments,
  home: {
    variable: homeVariable,
    folderOf: (own, env) => geminiHome(own === null ? env : { [homeVariable]: own }),
    // The variable names the parent of the folder.
    valueFor: (folder) => folder.replace(/\/\.gemini\/?$/, ""),
  },
  registry: { liveSession, registeredPids: () => [] },
  start: {
    // A start deletes the files of conversations without a word in its folder, so two never start together.
    pace: { atOnce: 1, gapMs: limits.startGapMs },
    resumeCommand: ({ id, folder }, env) => {
      const isStandard = geminiHome(env) === folder;
      return `${isStandard ? "" : `${homeVariable}=${shellWord(dirname(folder))} `}gemini --resume ${id}`;
    },
    forks: false,
    launch: launchArguments,
    prepare: prepareStart,
    remark: ({ folder, cwd }) => (folder !== null && isCleanedUp(folder, cwd) ? cleaning : null),
  },
  ending: { steps: endSteps, outlivesPane: true },
  transcripts: geminiTranscripts,
  spoken: { readUtterance, textMembers: ["content", "displayContent"], addUsage: addUsageLines },
  messages: { digestOf, proofIn, turnIn },
  keyboard: {
    readBox,
    shapeText,
    obeys: mayRun,
    shownAs,
    holdsMore,
    whyNotEntered,
    // Read at each use: patience for a busy machine comes after this value was made.
    get pasteRestMs() {
      return limits.geminiPasteRestMs;
    },
    leaving: "/quit",
  },
  screen: { readActivity, readStatus, status: { command: "/stats", isDialog: false }, readLastWords },
  model: { variables: modelVariables, setup: modelSetup },
  lacks: {
    fork: {
      why: "Gemini CLI cannot continue a copy of a conversation",
      hint: "start a new agent beside it: hivemind agent spawn NAME --kind gemini",
    },
    tools: {
      why: "a start of Gemini CLI cannot give it tools",
      hint: "add them to its settings once: gemini mcp add hivemind hivemind mcp",
    },
    copy: {
      why: "a copy of a Gemini session would have the same id, and the client finds only one of them",
      hint: "keep its words: hivemind sessions export SESSION",
    },
    archive: {
      why: "hivemind does not move files of Gemini CLI, which deletes old sessions itself",
      hint: "delete it in the client: /resume, then x",
    },
    rebind: {
      why: "a Gemini session belongs to the folder it began in",
      hint: "resume it there",
    },
    move: {
      why: "a Gemini session belongs to a folder of this host and does not move to another one",
      hint: "leave it here, or take its words along: hivemind sessions export SESSION",
    },
  },
};

const cleaning =
  "Gemini CLI deletes sessions without a message when another one starts in their folder; hivemind starts such an " +
  "agent again under the same id. To stop it, put sessionRetention.enabled: false under general into its settings.json";
