// claw, as hivemind sees it: an agent that keeps its sessions inside the workspace and no registry of what runs.
// Nothing of it is known but its process, so nothing is claimed: no title is a name, no screen has a box.

import { basename } from "node:path";
import { HiveError } from "../../base/errors.js";
import { onPath } from "../../base/on-path.js";
import type { ProcessInfo } from "../../processes/process.js";
import type { Agent } from "../agent.js";
import { scriptOf } from "../script.js";
import { clawArguments, isConversation } from "./arguments.js";

export const claw: Agent = {
  kind: "claw",
  hasUuids: false,
  recognises,
  // Its sessions lie in the workspace; there is no folder that Claude's transcripts or registry could be in.
  folderOf: () => null,
  liveSession: () => null,
  registeredPids: () => [],
  leftSession: () => null,
  jobs: () => [],
  program,
  launch: refuseLaunch,
  argumentsOf: clawArguments,
  nameInTitle: () => null,
  transcripts: { name: "claw", addFacts: () => {}, addChain: () => {} },
  readBox: () => ({ kind: "none" }),
  shapeText: (text) => ({ text, isCommand: false }),
  shownAs: () => null,
  holdsMore: () => false,
  whyNotEntered: () => null,
  readActivity: () => null,
  readStatus: () => null,
  readLastWords: () => null,
  isListTitle: () => false,
};

function recognises({ command, args }: ProcessInfo): boolean {
  const isClaw =
    command === "claw" || basename(args[0] ?? "") === "claw" || basename(scriptOf(args) ?? "") === "claw";
  return isClaw && isConversation(args);
}

function program(env: NodeJS.ProcessEnv): string[] {
  const [found] = onPath("claw", env);
  if (found !== undefined) return [found];
  throw new HiveError("there is no claw in PATH", {
    hint: "install claw, or use another kind: --kind claude",
  });
}

/** A start is proved by an id that was chosen before, and claw takes none. */
function refuseLaunch(): never {
  throw new HiveError("claw names its sessions itself, so hivemind cannot prove a start of it", {
    hint: "start it in a pane by hand (claw, or claw --resume latest): it is shown from then on",
  });
}
