// OpenCode as an agent. test/kinds/opencode/FACTS.md has what was measured on the program.

import { dirname } from "node:path";
import { limits } from "../../limits.js";
import type { Agent } from "../agent.js";
import { sessionArguments } from "./arguments.js";
import { endSteps } from "./ending.js";
import { homeVariable, opencodeHome, resumeCommand } from "./home.js";
import { inbox } from "./inbox.js";
import { launchArguments, opencodeProgram } from "./launch.js";
import { liveSession } from "./live-session.js";
import { makeSession } from "./make-session.js";
import { passwordVariable } from "./password.js";
import { recognises } from "./recognises.js";
import { readActivity } from "./screen/screen.js";
import { readLastWords } from "./text/last-words.js";
import { nameInTitle } from "./title.js";
import { opencodeTranscripts } from "./transcript/find.js";
import { digestOf, proofIn, turnIn } from "./transcript/message-records.js";
import { addUsageLines } from "./transcript/usage-history.js";
import { readUtterance } from "./transcript/utterance.js";

export const opencode: Agent = {
  kind: "opencode",
  recognises,
  program: opencodeProgram,
  argumentsOf: sessionArguments,
  home: {
    variable: homeVariable,
    folderOf: (own, env) => opencodeHome(own === null ? env : { [homeVariable]: own }),
    // The variable names the parent of the folder.
    valueFor: dirname,
  },
  registry: { liveSession, readsTitle: true, registeredPids: () => [] },
  start: {
    // Each start runs a server first, which takes seconds of a core.
    pace: { atOnce: 1, gapMs: limits.startGapMs },
    make: makeSession,
    resumeCommand,
    forks: true,
    launch: launchArguments,
    promptsByInbox: true,
    secret: passwordVariable,
  },
  ending: { steps: endSteps, outlivesPane: true },
  titles: { nameInTitle },
  transcripts: opencodeTranscripts,
  spoken: { readUtterance, textMembers: [], addUsage: addUsageLines },
  messages: { digestOf, proofIn, turnIn },
  inbox,
  screen: { readActivity, readLastWords },
  lacks: {
    decide: {
      why: "hivemind presses no key in OpenCode, so it cannot answer its questions",
      hint: "answer in its pane: hivemind go NAME",
    },
    probe: {
      why: "OpenCode shows the id of its session nowhere",
      hint: "hivemind session discover PANE --explain",
    },
    tools: {
      why: "a start of OpenCode cannot give it tools",
      hint: "add them to its settings once: opencode mcp add",
    },
    copy: {
      why: "hivemind cannot copy an OpenCode conversation without its client: it is in the client's database",
      hint: "fork it in a pane: hivemind agent fork NAME",
    },
    archive: {
      why: "hivemind cannot archive an OpenCode conversation: it is in the client's database",
      hint: "opencode session delete ID",
    },
    rebind: {
      why: "OpenCode continues a conversation in any folder, so there is nothing to rebind",
      hint: "opencode -s ID, in any folder",
    },
    move: {
      why: "hivemind cannot move an OpenCode conversation to another host: it is in the client's database",
      hint: "take its words along: hivemind sessions export SESSION, or opencode export ID",
    },
  },
};
