// Which client has which pane: from the clients' own registry to the pane, not from a program's name.
//
// [CI1] A client that its live registry tells of has the pane in whose process tree it runs, else the one whose
//       terminal it sits at or reads from, else the one it was started in on this very tmux server.
// [CI2] Of several in one pane the one in the foreground of the pane's terminal counts, and of those the one nearest to
//       the pane's root: a client that an agent runs as a tool is not taken for it. Nor is it another one of several.
// [CI3] A program that is only called like a client counts where no registry speaks. It gives way to a client that it
//       runs at the same terminal.
// [CI4] A client that answers once and ends, runs in the background or is kept ready has no pane.

import type { Agent, LiveSession } from "../agents/agent.js";
import { agentOf, agents, registryAgent } from "../agents/all.js";
import type { ProcessInfo, ProcessReader, ProcessTable, TreeProcess } from "../processes/process.js";
import type { TmuxPane, TmuxServer } from "../tmux/listing.js";

/** A process that an agent is recognised in, with what that says of itself. */
export interface Client {
  agent: Agent;
  process: ProcessInfo;
  folder: string | null;
  live: LiveSession | null;
}

export interface PaneClient extends Client {
  /** It does not have the terminal: a job that was stopped or sent to the background. */
  isSuspended: boolean;
  /** There are others like it in the pane, and nothing tells which one a person means. */
  isOneOfSeveral: boolean;
  /** A shell gets the pane's keys when it ends. */
  isBehindShell: boolean;
}

export interface ClientWorld {
  env: NodeJS.ProcessEnv;
  processes: ProcessReader;
  /** The config folders that are known before any process is asked. */
  folders: readonly string[];
}

/** Every client that runs and that the registry of a known folder tells of. */
export function registeredClients(world: ClientWorld, table: ProcessTable): Client[] {
  if (isBlind(world.env)) return [];
  const { processes, folders } = world;
  return folders.flatMap((folder) =>
    [...new Set(agents.flatMap((agent) => agent.registeredPids(folder)))].flatMap((pid) => {
      const process = table.get(pid) ?? processes.findProcess(pid);
      const agent = process && (agentOf(process) ?? registryAgent);
      const live = process && agent!.liveSession(folder, process);
      return live ? [{ agent: agent!, process: process!, folder, live }] : [];
    }),
  );
}

/** The clients of each pane by `registered`, each in one pane or none. */
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
  const placed = new Map<TmuxPane, Client[]>();
  for (const client of registered.filter(({ live }) => !isPaneless(live!))) {
    const { process } = client;
    const pane =
      inTree.get(process.pid) ??
      byTerminal.get(process.tty ?? "") ??
      byTerminal.get(world.processes.readInput(process.pid) ?? "") ??
      startPane(client, living, server, world);
    if (pane !== undefined) placed.set(pane, [...(placed.get(pane) ?? []), client]);
  }
  return placed;
}

/** The client of one pane; null where none runs. */
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
    ...lookedUp(client, world),
    isSuspended: found === null,
    isOneOfSeveral: found === null && all.filter((each) => !isUnderAny(all, each, tree)).length > 1,
    isBehindShell: isUnderShell(client, tree),
  };
}

/** Whether another client runs it, or what runs it. The client runs its own program as a search tool, too. */
function isUnderAny(clients: readonly Client[], { process }: Client, tree: readonly TreeProcess[]): boolean {
  const byPid = new Map(tree.map((each) => [each.pid, each]));
  const pids = new Set(clients.map((each) => each.process.pid));
  let above = byPid.get(process.pid) && byPid.get(process.ppid);
  while (above !== undefined && !pids.has(above.pid)) above = byPid.get(above.ppid);
  return above !== undefined;
}

/** A client that is not in the pane's tree is judged by the pane's own process. */
function isUnderShell({ process }: Client, tree: readonly TreeProcess[]): boolean {
  const byPid = new Map(tree.map((each) => [each.pid, each]));
  const [root] = tree;
  let above = byPid.has(process.pid) ? byPid.get(process.ppid) : root;
  while (above !== undefined && !isShellName(above.command))
    above = above === root ? undefined : byPid.get(above.ppid);
  return above !== undefined;
}

/** For tests of the weaker evidence: as if the client kept no registry. */
function isBlind(env: NodeJS.ProcessEnv): boolean {
  return env.HIVEMIND_IGNORE_REGISTRY === "1";
}

function isPaneless({ job, isTool, isSpare }: LiveSession): boolean {
  return job !== undefined || isTool === true || isSpare === true;
}

/** Where it says it was started, if that was this server, and the pane's terminal is not left to a shell. */
function startPane(
  { process, live }: Client,
  panes: readonly TmuxPane[],
  server: TmuxServer | null,
  { processes }: ClientWorld,
): TmuxPane | undefined {
  const id = live?.startPane ?? processes.readProcessVariable(process.pid, "TMUX_PANE");
  const pane = panes.find((each) => each.id === id);
  if (pane === undefined || server === null || isShellName(pane.command)) return undefined;
  const [, socket, pid] =
    /^(.*),(\d+),\d+$/.exec(processes.readProcessVariable(process.pid, "TMUX") ?? "") ?? [];
  return socket === server.socketPath && Number(pid) === server.pid ? pane : undefined;
}

function isShellName(command: string): boolean {
  return /^-?((a|ba|rba|da|k|mk|z|fi|c|tc|pw|elvi|xon)?sh|nu)$/.test(command);
}

/** Where no known folder tells of a pane, its processes are asked for theirs, and for their numbers in a container. */
function clientsIn(tree: readonly TreeProcess[], world: ClientWorld): Client[] {
  if (isBlind(world.env)) return [];
  const { processes, folders } = world;
  return tree.flatMap((process) => {
    const own = processes.readProcessVariable(process.pid, "CLAUDE_CONFIG_DIR");
    const isInside = processes.innerProcess(process) !== null;
    // Of any other process the registry of a known folder would have told.
    if (!isInside && (own === null || folders.includes(own))) return [];
    const agent = agentOf(process) ?? registryAgent;
    const found = lookedUp({ agent, process, folder: null, live: null }, world);
    return found.live === null || isPaneless(found.live) ? [] : [found];
  });
}

/** An agent whose folder nobody could read is in the folder that knows its process, else in the environment's. */
function lookedUp(client: Client, { env, processes }: ClientWorld): Client {
  if (client.live !== null) return client;
  const { agent, process } = client;
  const own = processes.readProcessVariable(process.pid, "CLAUDE_CONFIG_DIR");
  const folder = agent.folderOf(own, env);
  if (isBlind(env)) return { ...client, folder };
  const inner = processes.innerProcess(process);
  for (const place of new Set([folder, agent.folderOf(own, { HOME: env.HOME })])) {
    const live = place === null ? null : agent.liveSession(place, inner ?? process);
    if (live !== null) return { ...client, folder: place, live };
  }
  return { ...client, folder };
}

/** Whether a process of the pane, or the process that runs it there, has the pane's terminal. */
function foregroundIn(pane: TmuxPane, tree: readonly TreeProcess[]): (process: ProcessInfo) => boolean {
  const byPid = new Map(tree.map((process) => [process.pid, process]));
  return (process) => {
    for (let at: ProcessInfo | undefined = process; at !== undefined; at = byPid.get(at.ppid)) {
      if (at.tty === pane.tty) return at.isForeground;
    }
    // It has a terminal of its own, or none: what it draws stands in the pane.
    return true;
  };
}

/** A client at the terminal before one that runs without: that one may be an agent's tool. */
function outermost(shown: readonly Client[]): Client | null {
  const [first] = shown;
  if (first === undefined || first.live !== null) return first ?? null;
  return shown.find(({ live, process }) => live !== null && process.tty !== null) ?? first;
}

function depthIn(tree: readonly TreeProcess[], { process }: Client): number {
  return tree.find(({ pid }) => pid === process.pid)?.depth ?? Number.POSITIVE_INFINITY;
}
