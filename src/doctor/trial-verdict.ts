// What a trial of the client showed, as findings. Pure.

import type { DoorName } from "../agents/agent.js";
import type { Box } from "../agents/box.js";
import { shellWord } from "../base/text/shell-word.js";
import type { SessionId } from "../names/gates.js";
import { type Found, info, ok, problem, warning } from "./check.js";

/** What was seen of a client that was started with a session id, a name and a hook of ours. */
export interface TrialResult {
  program: string;
  uuid: SessionId;
  name: string;
  paneId: string;
  /** Its process under the pane; null if it was not found or has ended. */
  pid: number | null;
  /** The last lines of its screen, if it did not start. */
  lastWords: string;
  /** The registry file of its pid, as it is. */
  registry: Readonly<Record<string, unknown>> | null;
  /** The file is trusted: pid, start time and namespace match the process. */
  isBelieved: boolean;
  box: Box["kind"];
  /** The session that the hook received. */
  hookSession: string | null;
  /** Empty if the client was not ready for a message. */
  doors: readonly TriedDoor[];
  /** Checked after its end. */
  isFileRemoved: boolean;
}

export interface TriedDoor {
  door: DoorName;
  /** Null if this client has no such door. */
  isTaken: boolean | null;
  why: string;
}

export function trialFindings(sight: TrialResult): Found[] {
  const { program, pid, registry, uuid, name, paneId } = sight;
  if (pid === null) {
    const said = sight.lastWords === "" ? "" : `; its last output: ${sight.lastWords}`;
    return [problem(`${program} did not start${said}`, `try it: ${shellWord(program)}`)];
  }
  const started = ok(`${program} starts`);
  const silent = warning(
    "the client keeps no live registry: session and activity come from arguments, title and screen",
    "update the client",
  );
  const doors = sight.doors.map(doorFinding);
  if (registry === null) return [started, silent, ...screenAndHook(sight), ...doors];
  const isPlaced = typeof registry.tmux === "string" && registry.tmux.endsWith(`.${paneId}`);
  return [
    started,
    has(registry.sessionId === uuid, "the session it was given"),
    has(sight.isBelieved, "its process, start time included"),
    has(registry.status === "idle", "the status idle"),
    has(registry.name === name, "the name it was given"),
    isPlaced
      ? ok("the client's registry file has its tmux pane")
      : info("the client's registry file does not have its tmux pane; the process tree shows it", null),
    ...screenAndHook(sight),
    ...doors,
    sight.isFileRemoved
      ? ok("the client removes its registry file when it ends")
      : warning("the client leaves its registry file behind when it ends", newer),
  ];
}

/** A suggestion of the client is not a draft. */
export function isEmpty(box: Box["kind"]): boolean {
  return box === "empty" || box === "suggestion";
}

function screenAndHook({ box, hookSession, uuid }: TrialResult): Found[] {
  const isHeard = hookSession === uuid;
  const heard = hookSession === null ? "does not fire" : `reports session ${hookSession}`;
  return [
    isEmpty(box)
      ? ok("the client's empty input box is read as empty")
      : warning(`the client's empty input box is read as "${box}": messages to it would be held`, newer),
    isHeard
      ? ok("the client fires SessionStart to a hook given with --settings")
      : warning(`the client's hook ${heard}: new sessions are seen later`, newer),
  ];
}

function doorFinding({ door, isTaken, why }: TriedDoor): Found {
  const way = door === "inbox" ? "through its inbox" : "that is typed";
  if (isTaken === null) return info("the client has no inbox: messages of other agents are typed", null);
  return isTaken
    ? ok(`the client takes a message ${way}, and its transcript proves it`)
    : warning(`the client did not take a message ${way}: ${why || "nothing shows why"}`, newer);
}

/** The client changes; if a mechanism no longer works, hivemind needs an update. */
const newer = "update hivemind: it does not know this version of the client well";

function has(isThere: boolean, what: string): Found {
  return isThere
    ? ok(`the client's registry file has ${what}`)
    : warning(`the client's registry file does not have ${what}`, newer);
}
