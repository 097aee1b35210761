// Who holds a conversation: the client itself lets two processes resume one, and both then write over each other.
//
// [THO1] A pane holds the session that its running agent is found to be in; an ended agent holds nothing, and what only
//       the stores say of a running one is no proof that it is in that conversation.
// [THO2] A process outside this tmux server holds the session that its own registry file names, in any config folder
//       that is known. A file whose process ended, or is another one by now, holds nothing.

import type { Agent } from "../agents/agent.js";
import { agents as allAgents } from "../agents/all.js";
import type { SessionId } from "../names/gates.js";
import type { ProcessReader } from "../processes/process.js";
import * as allProcesses from "../processes/processes.js";
import type { EvidenceSource } from "./discover.js";
import type { Fleet } from "./observe.js";

export interface Holder {
  session: SessionId;
  pid: number;
  /** Null outside the tmux server that was asked. */
  pane: string | null;
  /** What says so. */
  how: EvidenceSource;
}

export interface HolderWorld {
  agents?: readonly Agent[];
  /** Every config folder that is known. */
  folders: readonly string[];
  processes?: Pick<ProcessReader, "findProcess">;
  /** A process that will be ended before anything starts. */
  except?: number | null;
}

/** Those in panes first. */
export function* holdersIn(fleet: Fleet, world: HolderWorld): Generator<Holder> {
  const { agents = allAgents, folders, processes = allProcesses, except = null } = world;
  for (const { id, address, process } of fleet.panes) {
    const found = fleet.sessions.get(id)?.evidence.find(({ chosen }) => chosen);
    if (process === null || process.pid === except || found === undefined || found.source === "cache")
      continue;
    yield { session: found.uuid, pid: process.pid, pane: address, how: found.source };
  }
  yield* registeredHolders({ agents, folders, processes, isLeftOut: (pid) => pid === except });
}

interface RegisteredWorld extends Pick<HolderWorld, "agents" | "folders" | "processes"> {
  isLeftOut: (pid: number) => boolean;
}

/** By the clients' own registry files. */
export function* registeredHolders(world: RegisteredWorld): Generator<Holder> {
  const { agents = allAgents, folders, processes = allProcesses, isLeftOut } = world;
  for (const folder of folders) {
    for (const pid of new Set(agents.flatMap((agent) => agent.registeredPids(folder)))) {
      const process = isLeftOut(pid) ? null : processes.findProcess(pid);
      if (process === null) continue;
      const sessions = agents.flatMap((agent) => agent.liveSession(folder, process)?.sessionId ?? []);
      for (const session of new Set(sessions)) yield { session, pid, pane: null, how: "registry" };
    }
  }
}

export function holderOf(session: SessionId, fleet: Fleet, world: HolderWorld): Holder | null {
  for (const holder of holdersIn(fleet, world)) if (holder.session === session) return holder;
  return null;
}

export function heldSessions(fleet: Fleet, world: HolderWorld): ReadonlySet<SessionId> {
  return new Set([...holdersIn(fleet, world)].map(({ session }) => session));
}
