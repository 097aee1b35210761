// Who holds a conversation. The client lets two processes resume one, and both then overwrite each other.
//
// - A pane holds the session that its running agent was found to be in. An ended agent holds nothing, and a session
//   that only the stores give to a running agent is no proof.
// - A process outside this tmux server holds the session in its registry file, in any known config folder.
// - A client that outlives its pane holds its session without a terminal: it is adrift, and nobody can talk to it.
//   One at a terminal outside the panes holds it like any other.
// - A registry file whose process ended, or whose pid was reused, holds nothing.
// - A process whose file another client may have written into holds what the file names, and what it was started with.
//   If another client wrote the whole file, a client holds only what it was started with.

import type { Agent, LiveSession } from "../../agents/agent.js";
import { agentOf, agentOfKind as knownAgent } from "../../agents/all.js";
import { type ProcessInfo, type ProcessReader, processTable } from "../../base/system/process.js";
import * as allProcesses from "../../base/system/processes.js";
import type { SessionId } from "../../names/gates.js";
import type { AgentKind, Kind } from "../../names/kind.js";
import type { ClientFolder } from "../folders.js";
import type { Fleet } from "../observe.js";
import type { EvidenceSource } from "./discover.js";

export interface Holder {
  session: SessionId;
  pid: number;
  /** Null outside the tmux server that was asked. */
  pane: string | null;
  /** The evidence for it. */
  how: EvidenceSource;
  /** Its kind and its processes, parents first, if it is adrift. */
  adrift?: { kind: AgentKind; processes: readonly ProcessInfo[] };
}

export interface HolderWorld {
  agentOfKind?: (kind: Kind) => Pick<Agent, "registry" | "argumentsOf"> | null;
  /** Every known folder of a client. */
  folders: readonly ClientFolder[];
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
  for (const kind of new Set(world.folders.map((each) => each.kind)))
    yield* outlivingHolders(knownAgent(kind)!, new Set(fleet.panes.map(({ tty }) => tty)));
}

/** From the arguments of all processes: only for a kind whose clients outlive their panes. */
function* outlivingHolders(agent: Agent, inPanes: ReadonlySet<string>): Generator<Holder> {
  if (agent.ending?.outlivesPane !== true) return;
  const found = allProcesses.findAll(agent.recognises);
  for (const root of found) {
    if (found.some(({ pid }) => pid === root.ppid) || inPanes.has(root.tty ?? "")) continue;
    const processes = processTable(found, []).treeOf(root.pid);
    const holder = processes.at(-1)!;
    const live = liveIn(agent, holder);
    const session = live?.sessionId ?? agent.argumentsOf(holder.args).began;
    if (session === null) continue;
    const adrift = root.tty === null ? { adrift: { kind: agent.kind, processes } } : {};
    yield { session, pid: holder.pid, pane: null, how: live?.how ?? "args", ...adrift };
  }
}

/** By the process's own environment. */
function liveIn({ home, registry }: Agent, process: ProcessInfo): LiveSession | null {
  if (home === undefined) return null;
  const variables = allProcesses.readProcessVariables(process.pid, [home.variable, "HOME"]);
  const folder = home.folderOf(variables.get(home.variable) ?? null, { HOME: variables.get("HOME") });
  return folder === null ? null : (registry?.liveSession(folder, process) ?? null);
}

/** From the clients' registry files. */
export function* registeredHolders(
  { agentOfKind = knownAgent, folders, processes = allProcesses }: HolderWorld,
  isLeftOut: (pid: number) => boolean,
): Generator<Holder> {
  for (const { kind, folder } of folders) {
    const agent = agentOfKind(kind);
    const registry = agent?.registry;
    for (const pid of registry?.registeredPids(folder) ?? []) {
      const process = isLeftOut(pid) ? null : processes.findProcess(pid);
      if (process === null) continue;
      const live = registry!.liveSession(folder, process);
      const { shared } = live ?? {};
      if (shared?.isOthers && agentOf(process) === null) continue;
      const began = shared === undefined ? null : agent!.argumentsOf(process.args).began;
      const named = [shared?.isOthers ? [] : (live?.sessionId ?? []), began ?? []].flat();
      for (const session of new Set(registry!.heldSessions?.(folder, process) ?? named))
        yield { session, pid, pane: null, how: "registry" };
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
