// Which conversations live processes are in, in panes and outside this tmux server.
//
// [HE1] What only the stores say of a running agent is no proof that it is in that conversation.
// [HE2] A registry file whose process ended, or is another one by now, holds nothing.

import { agents } from "../agents/all.js";
import type { Fleet } from "../fleet/observe.js";
import type { SessionId } from "../names/gates.js";
import { findProcess } from "../processes/processes.js";

/** `folders`: every config folder that is known. */
export function heldSessions(fleet: Fleet, folders: readonly string[]): ReadonlySet<SessionId> {
  return new Set([...heldInPanes(fleet), ...heldElsewhere(folders)]);
}

function heldInPanes({ panes, sessions }: Fleet): SessionId[] {
  return panes
    .filter(({ process }) => process !== null)
    .flatMap(({ id }) => sessions.get(id)?.evidence.find(({ chosen }) => chosen) ?? [])
    .filter(({ source }) => source !== "cache")
    .map(({ uuid }) => uuid);
}

function heldElsewhere(folders: readonly string[]): SessionId[] {
  return folders.flatMap((folder) => {
    const pids = new Set(agents.flatMap((agent) => agent.registeredPids(folder)));
    const running = [...pids].flatMap((pid) => findProcess(pid) ?? []);
    return running.flatMap((process) =>
      agents.flatMap((agent) => agent.liveSession(folder, process)?.sessionId ?? []),
    );
  });
}
