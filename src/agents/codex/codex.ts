// Codex as an agent. test/kinds/codex/FACTS.md has what was measured on the program.

import { limits } from "../../limits.js";
import type { Agent } from "../agent.js";
import { sessionArguments } from "./arguments.js";
import { codexTranscripts } from "./find.js";
import { codexHome, resumeCommand } from "./home.js";
import { inbox } from "./inbox.js";
import { codexProgram, launchArguments } from "./launch.js";
import { heldSessions, liveSession, lockingPids } from "./live-session.js";
import { makeSession } from "./make-session.js";
import { recognises } from "./recognises.js";
import { readBox } from "./screen/input-box.js";
import { readActivity } from "./screen/screen.js";
import { readStatus } from "./screen/status-dialog.js";
import { isCommand, whyNotEntered } from "./text/command-text.js";
import { holdsMore, shownAs } from "./text/compare.js";
import { readLastWords } from "./text/last-words.js";
import { shapeText } from "./text/shape.js";
import { nameInTitle, withoutId } from "./title.js";
import { digestOf, proofIn, turnIn } from "./transcript/message-records.js";
import { addUsageLines } from "./transcript/usage-history.js";
import { readUtterance } from "./transcript/utterance.js";

export const codex: Agent = {
  kind: "codex",
  recognises,
  program: codexProgram,
  argumentsOf: sessionArguments,
  home: {
    variable: "CODEX_HOME",
    folderOf: (own, env) => own ?? codexHome(env),
    valueFor: (folder) => folder,
  },
  registry: {
    liveSession,
    readsTitle: true,
    heldSessions: (folder, process) => (recognises(process) ? heldSessions(folder, process) : []),
    registeredPids: lockingPids,
  },
  start: {
    // Several at once would race for one refresh token.
    pace: { atOnce: 1, gapMs: limits.startGapMs },
    make: makeSession,
    resumeCommand,
    forks: true,
    givesTools: true,
    launch: launchArguments,
  },
  titles: { nameInTitle, shown: withoutId },
  transcripts: codexTranscripts,
  spoken: { readUtterance, textMembers: [], addUsage: addUsageLines },
  messages: { digestOf, proofIn, turnIn },
  keyboard: {
    readBox,
    shapeText,
    obeys: isCommand,
    shownAs,
    holdsMore,
    whyNotEntered,
    renaming: (name) => `/rename ${name}`,
    leaving: "/quit",
  },
  inbox,
  screen: { readActivity, readStatus, status: { command: "/status", isDialog: false }, readLastWords },
  lacks: {
    copy: {
      why: "hivemind cannot copy a Codex conversation without its client: the file of a fork lacks its beginning",
      hint: "fork it in a pane: hivemind agent fork NAME",
    },
    archive: {
      why: "hivemind cannot archive a Codex conversation: its client keeps parts of it in databases",
      hint: "codex archive ID",
    },
    rebind: {
      why: "a Codex conversation belongs to no folder, so there is nothing to rebind",
      hint: "codex resume ID, in any folder",
    },
    move: {
      why: "hivemind cannot move a Codex conversation to another host: its client keeps parts of it in databases",
      hint: "hivemind agent kill NAME, then move the others",
    },
  },
};
