// Which client is in which pane. Starts from the clients' own registry files, not from program names.
//
// [CI1] A registered client belongs to the pane in whose process tree it runs; else to the pane whose terminal it
//       has or reads from; else to the pane it was started in, on this same tmux server.
// [CI2] Of several clients in one pane, the one in the foreground of the terminal counts, then the one nearest to
//       the pane's root process. A client that an agent runs as a tool does not count, and is not one of several.
// [CI3] A program that is only named like a client counts if there is no registry entry. It yields to a client that
//       it runs at the same terminal.
// [CI4] A client that answers once and ends, runs in the background or is a spare has no pane.

import type { Agent, LiveSession } from "../../agents/agent.js";
import { agentOf, agentOfKind, registryAgent } from "../../agents/all.js";
import { groupBy } from "../../base/group-by.js";
import { isFirstNamespace, pidNamespace } from "../../base/system/pid-namespace.js";
import type { ProcessInfo, ProcessReader, ProcessTable, TreeProcess } from "../../base/system/process.js";
import type { TmuxPane, TmuxServer } from "../../tmux/listing.js";
import type { ClientFolder } from "../folders.js";
import { isOfServer } from "./hook-claims.js";

/** A process recognised as an agent's, with its registry entry. */
export interface Client {
  agent: Agent;
  process: ProcessInfo;
  folder: string | null;
  live: LiveSession | null;
  /** The process as its own pid namespace sees it, if that is not ours. */
  inner?: ProcessInfo;
}

export interface PaneClient extends Client {
  /** It does not have the terminal: a job that was stopped or sent to the background. */
  isSuspended: boolean;
  /** The pane has several such clients, and it is unclear which one the user means. */
  isOneOfSeveral: boolean;
  /** A shell gets the pane's keys when the client ends. */
  isBehindShell: boolean;
}

export interface ClientWorld {
  env: NodeJS.ProcessEnv;
  processes: ProcessReader;
  /** The clients' folders known before any process is read. */
  folders: readonly ClientFolder[];
}

/** Every running client with a registry file in a known folder. */
export function registeredClients(world: ClientWorld, table: ProcessTable): Client[] {
  if (isBlind(world.env)) return [];
  const { processes, folders } = world;
  return folders.flatMap(({ kind, folder }) => {
    const family = agentOfKind(kind)!;
    return (family.registry?.registeredPids(folder) ?? []).flatMap((pid): Client[] => {
      const process = table.get(pid) ?? processes.findProcess(pid);
      const named = process && agentOf(process);
      const live = process && ownIn(family.registry!.liveSession(folder, process), named);
      // A program of another name in the registry of a family is of that family.
      const agent = named?.home === family.home ? named! : family;
      return live ? [{ agent, process: process!, folder, live }] : [];
    });
  });
}

/** The registered clients of each pane. A client is in one pane or none. */
export function clientsByPane(
  registered: readonly Client[],
  panes: readonly TmuxPane[],
  server: TmuxServer | null,
  world: ClientWorld,
  table: ProcessTable,
): Map<TmuxPane, Client[]> {
  const living = panes.filter(({ dead }) => !dead);
  const inTree = new Map(living.flatMap((pane) => table.treeOf(pane.pid).map(({ pid }) => [pid, pane])));
  const byTerminal = new Map(living.map((pane) => [pane.tty, pane]));
  const withPane = registered.filter(({ live }) => !isPaneless(live!));
  return groupBy(
    withPane,
    (client) =>
      inTree.get(client.process.pid) ??
      byTerminal.get(client.process.tty ?? "") ??
      byTerminal.get(world.processes.readInput(client.process.pid) ?? "") ??
      startPane(client, living, server, world),
  );
}

/** The client of one pane; null if none runs. */
export function clientOf(
  pane: TmuxPane,
  registered: readonly Client[],
  tree: readonly TreeProcess[],
  world: ClientWorld,
): PaneClient | null {
  const hasTerminal = foregroundIn(pane, tree);
  const isShown = registered.some(({ process }) => hasTerminal(process));
  const pids = new Set(registered.map(({ process }) => process.pid));
  const others = isShown ? [] : clientsIn(tree, world).filter(({ process }) => !pids.has(process.pid));
  const known = [...registered, ...others];
  // Most panes of a large fleet have no client.
  if (known.length === 0 && tree.every((process) => agentOf(process) === null)) return null;
  const isKnown = new Set(known.map(({ process }) => process.pid));
  const named = tree.flatMap((process): Client[] => {
    const agent = isKnown.has(process.pid) ? null : agentOf(process);
    return agent === null ? [] : [{ agent, process, folder: null, live: null }];
  });
  const all = [...known, ...named].sort((a, b) => depthIn(tree, a) - depthIn(tree, b));
  const shown = all.filter(({ process }) => hasTerminal(process));
  const found = outermost(shown);
  const client = found ?? outermost(all);
  if (client === null) return null;
  return {
    ...lookedUp(client, world, pane.title),
    isSuspended: found === null,
    isOneOfSeveral: found === null && all.filter((each) => !isUnderAny(all, each, tree)).length > 1,
    isBehindShell: isUnderShell(client, tree),
  };
}

/** Whether another client runs it, directly or not. The client also runs its own program as a search tool. */
function isUnderAny(clients: readonly Client[], { process }: Client, tree: readonly TreeProcess[]): boolean {
  const pids = new Set(clients.map((each) => each.process.pid));
  const isIn = tree.some(({ pid }) => pid === process.pid);
  return isIn && aboveIn(tree, process).some(({ pid }) => pids.has(pid));
}

/** A client outside the pane's process tree is judged by the pane's own process. */
function isUnderShell({ process }: Client, tree: readonly TreeProcess[]): boolean {
  const isIn = tree.some(({ pid }) => pid === process.pid);
  const above = isIn ? aboveIn(tree, process) : tree.slice(0, 1);
  return above.some(({ command }) => isShellName(command));
}

/** The ancestors of this process within the tree, nearest first. */
function aboveIn(tree: readonly TreeProcess[], { ppid }: ProcessInfo): TreeProcess[] {
  const parent = tree.find(({ pid }) => pid === ppid);
  return parent === undefined ? [] : [parent, ...aboveIn(tree, parent)];
}

/** For tests of the weaker evidence: behave as if the client had no registry. */
function isBlind(env: NodeJS.ProcessEnv): boolean {
  return env.HIVEMIND_IGNORE_REGISTRY === "1";
}

/** A file that another client wrote makes no client of a program that is not named like one. */
function ownIn(live: LiveSession | null, named: Agent | null): LiveSession | null {
  return named === null && live?.shared?.isOthers === true ? null : live;
}

function isPaneless({ job, isTool, isSpare }: LiveSession): boolean {
  return job !== undefined || isTool === true || isSpare === true;
}

/** The pane it was started in, if that is on this server and no shell has the pane's terminal. */
function startPane(
  { process, live }: Client,
  panes: readonly TmuxPane[],
  server: TmuxServer | null,
  { processes }: ClientWorld,
): TmuxPane | undefined {
  const id = live?.startPane ?? processes.readProcessVariable(process.pid, "TMUX_PANE");
  const pane = panes.find((each) => each.id === id);
  if (pane === undefined || isShellName(pane.command)) return undefined;
  return isOfServer(processes.readProcessVariable(process.pid, "TMUX"), server) ? pane : undefined;
}

function isShellName(command: string): boolean {
  return /^-?((a|ba|rba|da|k|mk|z|fi|c|tc|pw|elvi|xon)?sh|nu)$/.test(command);
}

/**
 * If no known folder has an entry for a pane, its processes are asked for their own folder and container pid. The
 * runtimes of all clients have several threads: most shells and tools need not be asked.
 */
function clientsIn(tree: readonly TreeProcess[], world: ClientWorld): Client[] {
  if (isBlind(world.env)) return [];
  const { processes, folders } = world;
  return tree.flatMap((process) => {
    const named = agentOf(process);
    const agent = named ?? registryAgent;
    if (agent.home === undefined || (named === null && process.threads === 1)) return [];
    const own = processes.readProcessVariable(process.pid, agent.home.variable);
    const isInside = processes.innerProcess(process) !== null;
    const isKnown = folders.some(({ folder }) => folder === agent.home!.folderOf(own, world.env));
    // Any other process would have been found in the registry of a known folder.
    if (!isInside && (own === null || isKnown)) return [];
    const found = lookedUp({ agent, process, folder: null, live: null }, world);
    return ownIn(found.live, named) === null || isPaneless(found.live!) ? [] : [found];
  });
}

/** If an agent's own folder is unreadable, its folder is the one that knows its process, else the environment's. */
function lookedUp(client: Client, { env, processes }: ClientWorld, title?: string): Client {
  const { agent, process } = client;
  if (agent.home === undefined || (client.live !== null && !agent.registry?.readsTitle)) return client;
  const { variable, folderOf } = agent.home;
  const own = processes.readProcessVariable(process.pid, variable);
  const folder = folderOf(own, env);
  if (isBlind(env)) return { ...client, folder };
  const inner = processes.innerProcess(process);
  const inside = inner === null ? {} : { inner };
  for (const place of new Set([client.folder ?? folder, folderOf(own, { HOME: env.HOME })])) {
    const live = place && agent.registry?.liveSession(place, inner ?? process, title);
    if (live) return { ...client, ...inside, folder: place, live };
  }
  return { ...client, ...inside, folder: client.folder ?? folder, live: null };
}

/** Whether a process of the pane, or an ancestor in the pane, has the pane's terminal in the foreground. */
function foregroundIn(pane: TmuxPane, tree: readonly TreeProcess[]): (process: ProcessInfo) => boolean {
  return (process) => {
    const atTerminal = [process, ...aboveIn(tree, process)].find(({ tty }) => tty === pane.tty);
    // No process at the terminal: the client has its own terminal or none, and the pane shows what it draws.
    return atTerminal?.isForeground ?? true;
  };
}

/** Prefers a client at the terminal to one without: that one may be an agent's tool. */
function outermost(shown: readonly Client[]): Client | null {
  const [first] = shown;
  if (first === undefined || first.live !== null) return first ?? null;
  return shown.find(({ live, process }) => live !== null && process.tty !== null) ?? first;
}

function depthIn(tree: readonly TreeProcess[], { process }: Client): number {
  return tree.find(({ pid }) => pid === process.pid)?.depth ?? Number.POSITIVE_INFINITY;
}

/** Whether a client of another pid namespace can have the same registry file. */
export function sharesFile({ agent, inner }: Client): boolean {
  return agent.registry?.reports !== undefined && !isFirstNamespace(inner?.namespace ?? pidNamespace());
}
