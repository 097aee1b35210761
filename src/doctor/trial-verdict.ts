// What a trial of the client showed, as findings. Pure.

import type { Box } from "../agents/agent.js";
import { shellWord } from "../base/shell-word.js";
import type { SessionId } from "../names/gates.js";
import { type Found, info, ok, problem, warning } from "./check.js";

/** What was seen of a client that was started with a session id, a name and a hook of ours. */
export interface Sight {
  program: string;
  uuid: SessionId;
  name: string;
  paneId: string;
  /** Its process was found under the pane; null when it was not, or it ended. */
  pid: number | null;
  /** The last lines of its screen, for a client that did not start. */
  lastWords: string;
  /** The registry file of its pid as it lies there. */
  registry: Readonly<Record<string, unknown>> | null;
  /** The file is believed: pid, start time and namespace are those of the process. */
  isBelieved: boolean;
  box: Box["kind"];
  /** The session that the hook was told. */
  hookSession: string | null;
  /** After its end. */
  isFileRemoved: boolean;
}

export function trialFindings(sight: Sight): Found[] {
  const { program, pid, registry, uuid, name, paneId } = sight;
  if (pid === null) {
    const said = sight.lastWords === "" ? "" : `; its last words: ${sight.lastWords}`;
    return [problem(`${program} did not start${said}`, `see for yourself: ${shellWord(program)}`)];
  }
  const started = ok(`${program} starts`);
  const silent = warning(
    "the client keeps no live registry: session and activity come from arguments, title and screen",
    "update the client",
  );
  if (registry === null) return [started, silent, ...screenAndHook(sight)];
  const isPlaced = typeof registry.tmux === "string" && registry.tmux.endsWith(`.${paneId}`);
  return [
    started,
    told(registry.sessionId === uuid, "the session it was given"),
    told(sight.isBelieved, "its process, start time included"),
    told(registry.status === "idle", "that it is idle"),
    told(registry.name === name, "the name it was given"),
    isPlaced
      ? ok("the client's registry file tells its tmux pane")
      : info("the client's registry file does not tell its tmux pane; the process tree does", null),
    ...screenAndHook(sight),
    sight.isFileRemoved
      ? ok("the client removes its registry file when it ends")
      : warning("the client leaves its registry file behind when it ends", newer),
  ];
}

/** Words of the client's own in the box are nobody's draft. */
export function isEmpty(box: Box["kind"]): boolean {
  return box === "empty" || box === "suggestion";
}

function screenAndHook({ box, hookSession, uuid }: Sight): Found[] {
  const isHeard = hookSession === uuid;
  const heard = hookSession === null ? "does not fire" : `names session ${hookSession}`;
  return [
    isEmpty(box)
      ? ok("the client's empty input box is read as empty")
      : warning(`the client's empty input box is read as "${box}": messages to it would be held`, newer),
    isHeard
      ? ok("the client fires SessionStart to a hook given with --settings")
      : warning(`the client's hook ${heard}: new sessions are seen later`, newer),
  ];
}

/** The client changes; what does not hold any more is for us to mend. */
const newer = "update hivemind: it does not know this version of the client well";

function told(isTold: boolean, what: string): Found {
  return isTold
    ? ok(`the client's registry file tells ${what}`)
    : warning(`the client's registry file does not tell ${what}`, newer);
}
