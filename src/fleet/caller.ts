// Who runs this command: the pane that this process sits in, and the agent whose tool it is. The ancestors of the
// process decide. Variables prove nothing: a process that left its pane long ago still has TMUX_PANE.
//
// [OW1] The own pane is the one whose process is the nearest of our ancestors, never the pane a person looks at.
// [OW2] A variable that names a different pane than our ancestors is wrong.
// [OW3] Inside a tmux server other than the one asked, we sit in none of its panes.
// [CAL1] The calling agent is the nearest ancestor that is an agent's own process.
// [CAL2] A person who runs a command beside an agent, in the same pane or another, is not an agent.

import { limits } from "../limits.js";
import type { ProcessReader } from "../processes/process.js";
import type { FleetPane, Panes } from "./panes.js";

type Finder = Pick<ProcessReader, "findProcess">;

export function ownPane(
  { server, panes }: Pick<Panes, "server" | "panes">,
  { env, pid }: { env: NodeJS.ProcessEnv; pid: number },
  processes: Finder,
): FleetPane | null {
  // TMUX is `socket,server pid,session`. The pid is of one server; another can use the socket's path later.
  const serverPid = env.TMUX?.split(",").at(-2);
  if (server === null || (serverPid !== undefined && Number(serverPid) !== server.pid)) return null;
  const byPid = new Map(panes.filter(({ dead }) => !dead).map((pane) => [pane.pid, pane]));
  return fromItUp(pid, processes).flatMap((above) => byPid.get(above) ?? [])[0] ?? null;
}

export interface CallingAgent {
  /** Null for an agent that runs in the background or outside this tmux server. */
  pane: FleetPane | null;
}

export function callingAgent(
  { panes, clients }: Pick<Panes, "panes" | "clients">,
  pid: number,
  processes: Finder,
): CallingAgent | null {
  const inPanes = new Map(panes.flatMap((pane) => (pane.process === null ? [] : [[pane.process.pid, pane]])));
  const elsewhere = new Set(clients.map(({ process }) => process.pid));
  const agent = fromItUp(pid, processes).find((above) => inPanes.has(above) || elsewhere.has(above));
  return agent === undefined ? null : { pane: inPanes.get(agent) ?? null };
}

/** The process itself first, then its ancestors. */
function fromItUp(pid: number, { findProcess }: Finder): number[] {
  const found: number[] = [];
  let current = findProcess(pid);
  while (current !== null && found.length < limits.ancestors) {
    found.push(current.pid);
    current = current.ppid > 1 ? findProcess(current.ppid) : null;
  }
  return found;
}
