// Who holds a conversation. The client lets two processes resume one, and both then overwrite each other.
//
// - A pane holds the session that its running agent was found to be in. An ended agent holds nothing, and a session
//   that only the stores give to a running agent is no proof.
// - A process outside this tmux server holds the session in its registry file, in any known config folder.
// - A registry file whose process ended, or whose pid was reused, holds nothing.

import type { Agent } from "../../agents/agent.js";
import { agents as allAgents } from "../../agents/all.js";
import type { SessionId } from "../../names/gates.js";
import type { ProcessReader } from "../../processes/process.js";
import * as allProcesses from "../../processes/processes.js";
import type { Fleet } from "../observe.js";
import type { EvidenceSource } from "./discover.js";

export interface Holder {
  session: SessionId;
  pid: number;
  /** Null outside the tmux server that was asked. */
  pane: string | null;
  /** The evidence for it. */
  how: EvidenceSource;
}

export interface HolderWorld {
  agents?: readonly Agent[];
  /** Every known config folder. */
  folders: readonly string[];
  processes?: Pick<ProcessReader, "findProcess">;
  /** A process that will be ended before a new one starts. */
  except?: number | null;
}

/** Holders in panes first. */
export function* holdersIn(fleet: Fleet, world: HolderWorld): Generator<Holder> {
  const { except = null } = world;
  for (const { id, address, process } of fleet.panes) {
    const found = fleet.sessions.get(id)?.evidence.find(({ chosen }) => chosen);
    if (process === null || process.pid === except || found === undefined || found.source === "cache")
      continue;
    yield { session: found.uuid, pid: process.pid, pane: address, how: found.source };
  }
  yield* registeredHolders(world, (pid) => pid === except);
}

/** From the clients' registry files. */
export function* registeredHolders(
  { agents = allAgents, folders, processes = allProcesses }: HolderWorld,
  isLeftOut: (pid: number) => boolean,
): Generator<Holder> {
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
