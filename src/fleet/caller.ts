// Who runs this command: the pane that this process sits in, the agent whose tool it is, and whether a person runs it.
// The ancestors of the process decide. Variables prove nothing: a process that left its pane long ago still has
// TMUX_PANE.
//
// [OW1] The own pane is the one whose process is the nearest of our ancestors, never the pane a person looks at.
// [OW2] A variable that names a different pane than our ancestors is wrong.
// [OW3] Inside a tmux server other than the one asked, we sit in none of its panes.
// [CAL1] The calling agent is the nearest ancestor that is an agent's own process.
// [CAL2] A person who runs a command beside an agent, in the same pane or another, is not an agent.
// [CAL3] A command is an agent's if one of its ancestors, its leader or an ancestor of its leader is an agent. A leader is
//        the process that called setsid. No variable hides an agent: a program that looks like one needs no registry.
// [CAL4] A command is a person's only if every parent up to its leader still runs, and it has a terminal, or its leader
//        is the tmux server (a key binding) or a child of sshd. Every other command is nobody's.
// [CAL5] While an agent has the foreground of our terminal, no person types there. At a terminal with an agent, a
//        command in the background is nobody's.
// [CAL6] Process 1 adopts the children of ended processes, so a child of it proves nothing by itself. A command whose
//        leader is process 1 (the shell of a container) is a person's only in the foreground of its terminal, in a
//        process group that one of its ancestors or itself began, and only if every agent that runs at this terminal
//        is stopped. An orphan stays in the group of the program that left it.
// [CAL7] A leader outside our pid namespace is hidden. Then the parents up to the first process of the namespace, or up
//        to the one that entered it, must all have our terminal. The rest is as in [CAL6].
// [CAL8] Without a terminal, a leader or a parent of it that is process 1 opened nothing for a person.

import { agentOf } from "../agents/all.js";
import type { ProcessInfo, ProcessReader } from "../base/system/process.js";
import { limits } from "../limits.js";
import type { FleetPane, Panes } from "./panes.js";

type Finder = Pick<ProcessReader, "findProcess">;
type TreeReader = Pick<ProcessReader, "findProcess" | "readTrees">;

export function ownPane(
  { server, panes }: Pick<Panes, "server" | "panes">,
  { env, pid }: { env: NodeJS.ProcessEnv; pid: number },
  processes: Finder,
): FleetPane | null {
  // TMUX is `socket,server pid,session`. The pid is of one server; another can use the socket's path later.
  const serverPid = env.TMUX?.split(",").at(-2);
  if (server === null || (serverPid !== undefined && Number(serverPid) !== server.pid)) return null;
  const byPid = new Map(panes.filter(({ dead }) => !dead).map((pane) => [pane.pid, pane]));
  return fromItUp(pid, processes).flatMap((above) => byPid.get(above.pid) ?? [])[0] ?? null;
}

export interface CallingAgent {
  /** Null for an agent that runs in the background or outside this tmux server. */
  pane: FleetPane | null;
}

export function callingAgent(seen: Agents, pid: number, processes: Finder): CallingAgent | null {
  const pids = new Set(agentProcesses(seen).map((agent) => agent.pid));
  const agent = fromItUp(pid, processes).find((above) => pids.has(above.pid));
  return agent === undefined ? null : { pane: paneOf(seen, agent) };
}

type Agents = Pick<Panes, "panes" | "clients">;

/** In panes, in the background and outside this tmux server. */
function agentProcesses({ panes, clients }: Agents): ProcessInfo[] {
  return [...panes.flatMap((pane) => pane.process ?? []), ...clients.map(({ process }) => process)];
}

function paneOf({ panes }: Agents, agent: ProcessInfo): FleetPane | null {
  return panes.find((pane) => pane.process?.pid === agent.pid) ?? null;
}

/** Who decides if this command decides something. */
export type Decider =
  | ({ kind: "agent" } & CallingAgent)
  /** `from`: the terminal and its pane, as `/dev/pts/3 %5`; else `tmux` or `ssh`. */
  | { kind: "person"; from: string }
  | { kind: "nobody" };

export function whoDecides(
  seen: Pick<Panes, "server" | "panes" | "clients">,
  pid: number,
  processes: TreeReader,
): Decider {
  const ours = fromItUp(pid, processes);
  // Too many parents to follow: an agent may be above them.
  if (ours.length >= limits.ancestors) return { kind: "nobody" };
  // A process whose parent ended has no ancestors left, but it keeps its leader.
  const leaders = fromItUp(ours[0]?.leader || pid, processes);
  const pids = new Set(agentProcesses(seen).map((agent) => agent.pid));
  const isAgent = (each: ProcessInfo) => pids.has(each.pid) || agentOf(each) !== null;
  const agent = [...ours, ...leaders].find(isAgent);
  if (agent !== undefined) return { kind: "agent", pane: paneOf(seen, agent) };
  const isServer = (each: ProcessInfo) => each.pid === seen.server?.pid || each.command === "tmux: server";
  const from = isTypedAt(ours, seen, isAgent, processes)
    ? terminalOf(ours[0]!, seen)
    : openerOf(ours, isServer);
  return from === null ? { kind: "nobody" } : { kind: "person", from };
}

/** Whether a person typed this command at the terminal that it has. */
function isTypedAt(
  ours: readonly ProcessInfo[],
  seen: Agents,
  isAgent: (each: ProcessInfo) => boolean,
  processes: TreeReader,
): boolean {
  const [self] = ours;
  if (self === undefined || self.tty === null) return false;
  const agents = agentProcesses(seen).filter(({ tty }) => tty === self.tty);
  switch (parentageOf(ours)) {
    case "broken":
      return false;
    case "unbroken":
      return agents.length === 0 || (self.isForeground && !agents.some((agent) => agent.isForeground));
    case "adoptable": {
      // An agent in no pane and without a registry file counts too: everything at the terminal is below this process.
      const top = ours.at(-1)!;
      const below = processes.readTrees([{ pid: top.pid, tty: self.tty }]).treeOf(top.pid);
      const beside = [...agents, ...below.filter((each) => each.tty === self.tty && isAgent(each))];
      const isInOwnGroup = self.group === undefined || ours.some(({ pid }) => pid === self.group);
      return self.isForeground && isInOwnGroup && beside.every(({ isStopped }) => isStopped === true);
    }
  }
}

/** Adoptable: our ancestors reach process 1, or the end of the namespace, and may have got there by adoption. */
function parentageOf(ours: readonly ProcessInfo[]): "unbroken" | "adoptable" | "broken" {
  const [self] = ours;
  const top = ours.at(-1);
  if (self === undefined || top === undefined) return "broken";
  const { leader, tty } = self;
  // Without a known leader: an orphan is a child of process 1, and the first process at a terminal is not.
  if (leader === null) return stretchOf(ours).at(-1)!.ppid > 1 ? "unbroken" : "broken";
  if (leader > 1) return leaderIn(ours) === null ? "broken" : "unbroken";
  const isWhole = top.ppid === 0 && (leader === 0 || top.pid === 1);
  return isWhole && ours.every((each) => each.tty === tty) ? "adoptable" : "broken";
}

/** The terminal, and its pane. */
function terminalOf({ tty }: ProcessInfo, { panes }: Agents): string {
  const pane = panes.find((each) => !each.dead && each.tty === tty);
  return pane === undefined ? tty! : `${tty} ${pane.id}`;
}

/** The program that opened our session for a person although it has no terminal. */
function openerOf(
  ours: readonly ProcessInfo[],
  isServer: (each: ProcessInfo) => boolean,
): "tmux" | "ssh" | null {
  const [self] = ours;
  if (self === undefined || self.tty !== null) return null;
  const leaders = (self.leader === null ? stretchOf(ours) : [leaderIn(ours)]).filter(
    (each) => each?.pid !== 1,
  );
  if (leaders.some((each) => each !== null && isServer(each))) return "tmux";
  const isOverSsh = leaders.some((leader) => {
    const parent = leader?.ppid === 1 ? undefined : ours.find(({ pid }) => pid === leader?.ppid);
    return parent !== undefined && /^sshd(-session)?$/.test(parent.command);
  });
  return isOverSsh ? "ssh" : null;
}

/** Null if it is not ourselves or an ancestor: then one of our parents has ended. */
function leaderIn(ours: readonly ProcessInfo[]): ProcessInfo | null {
  return ours.find(({ pid }) => pid === ours[0]?.leader) ?? null;
}

/** Ourselves and the nearest ancestors that have our terminal, or have none as we do. */
function stretchOf(ours: readonly ProcessInfo[]): readonly ProcessInfo[] {
  const end = ours.findIndex(({ tty }) => tty !== ours[0]?.tty);
  return end < 0 ? ours : ours.slice(0, end);
}

/** The process itself first, then its ancestors. Process 0 is none: the parent is outside our pid namespace. */
function fromItUp(pid: number, { findProcess }: Finder): ProcessInfo[] {
  const found: ProcessInfo[] = [];
  let current = findProcess(pid);
  while (current !== null && found.length < limits.ancestors) {
    found.push(current);
    current = current.ppid > 0 ? findProcess(current.ppid) : null;
  }
  return found;
}
