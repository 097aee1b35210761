// Who holds a conversation: the client itself lets two processes resume one, and both then write over each other.
//
// [THO1] A pane holds the session that its running agent is found to be in; an ended agent holds nothing.
// [THO2] A process outside this tmux server holds the session that its own registry file names, in any config folder
//       that is known. A file whose process ended, or is another one by now, holds nothing.

import type { Agent } from "../agents/agent.js";
import { agents, defaultFolder } from "../agents/all.js";
import type { EvidenceSource } from "../fleet/discover.js";
import type { Fleet } from "../fleet/observe.js";
import type { SessionId } from "../names/gates.js";
import type { ProcessReader } from "../processes/process.js";
import * as processes from "../processes/processes.js";
import type { TeamWorld } from "./world.js";

export interface Holder {
  pid: number;
  /** Null outside the tmux server that was asked. */
  pane: string | null;
  /** What says so. */
  how: EvidenceSource;
}

export interface HolderWorld {
  agents: readonly Agent[];
  /** Every config folder that is known. */
  folders: readonly string[];
  processes: Pick<ProcessReader, "findProcess">;
  /** A process that will be ended before anything starts. */
  except?: number | null;
}

/** By all that can be known from here: every pane, and every config folder that was ever seen in use. */
export function liveHolder(
  session: SessionId,
  fleet: Fleet,
  { env, stores }: Pick<TeamWorld, "env" | "stores">,
  except: number | null = null,
): Holder | null {
  const accounts = stores.accounts.read().rows.map(({ folder }) => folder);
  const used = fleet.panes.flatMap(({ folder }) => folder ?? []);
  const folders = [...new Set([defaultFolder(env) ?? [], ...accounts, ...used].flat())];
  return holderOf(session, fleet, { agents, folders, processes, except });
}

export function holderOf(session: SessionId, fleet: Fleet, world: HolderWorld): Holder | null {
  const panes = fleet.panes.filter(({ process }) => process !== null && process.pid !== world.except);
  return holderInPane(session, { ...fleet, panes }) ?? holderElsewhere(session, world);
}

function holderInPane(session: SessionId, fleet: Fleet): Holder | null {
  for (const { id, address, process } of fleet.panes) {
    const found = fleet.sessions.get(id);
    // What only the stores say of a running agent is no proof that it is in that conversation.
    const chosen = found?.evidence.find(({ chosen }) => chosen)?.source ?? "cache";
    if (process === null || found?.uuid !== session || chosen === "cache") continue;
    return { pid: process.pid, pane: address, how: chosen };
  }
  return null;
}

function holderElsewhere(
  session: SessionId,
  { agents, folders, processes, except }: HolderWorld,
): Holder | null {
  for (const folder of folders) {
    for (const pid of new Set(agents.flatMap((agent) => agent.registeredPids(folder)))) {
      const process = pid === except ? null : processes.findProcess(pid);
      if (process === null) continue;
      const isHeld = agents.some((agent) => agent.liveSession(folder, process)?.sessionId === session);
      if (isHeld) return { pid, pane: null, how: "registry" };
    }
  }
  return null;
}
