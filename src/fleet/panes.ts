// The panes of a tmux server with what runs in them: panes × processes × the agents' own word, as a plain value.
//
// [OB1] One tmux spawn and one look at the panes' process trees serve all panes.
// [OB2] The agent of a pane is the recognised process nearest to the pane's root: a client that an agent runs as a
//       tool, further down, is not taken for it. Of several jobs of one shell it is the one in the foreground. A script
//       that only runs the client, and is called like it, gives way to the process that the client's registry knows.
// [OB3] Looking changes nothing, in tmux or on disk.
// [OB4] An agent with no CLAUDE_CONFIG_DIR that could be read is in the folder that knows its process: the environment's,
//       or the standard one, which who starts an agent leaves unnamed. Where neither does, in the environment's.

import type { Agent, Kind, LiveSession, SessionArguments } from "../agents/agent.js";
import { agentOf, nameInTitle, suspiciousScreen } from "../agents/all.js";
import type { ProcessInfo, ProcessReader, ProcessTable, TreeProcess } from "../processes/process.js";
import { listServer, type TmuxPane, type TmuxServer } from "../tmux/listing.js";
import type { Tmux } from "../tmux/tmux.js";
import { type Mark, parseMark } from "./mark.js";
import { findShifts, type Shifts, type StoredKeys } from "./shifts.js";

export interface World {
  env: NodeJS.ProcessEnv;
  tmux: Tmux;
  processes: ProcessReader;
  /** What the stores have rows of; without it no name counts as borrowed. */
  storedKeys?: () => StoredKeys;
}

export interface Panes {
  takenAtMs: number;
  /** Null when there is no tmux server; a server that could not be asked is an error instead. */
  server: TmuxServer | null;
  panes: readonly FleetPane[];
  /** What moved since the stores were last right. */
  shifts: Shifts;
}

export interface FleetPane extends TmuxPane {
  kind: Kind;
  /** The session's name as the title has it. */
  name: string | null;
  /** The agent's own process; null where none runs. */
  process: ProcessInfo | null;
  arguments: SessionArguments | null;
  /** The agent's config folder. */
  folder: string | null;
  live: LiveSession | null;
  mark: Mark | null;
}

export async function observePanes(world: World): Promise<Panes> {
  const { server, panes } = await listServer(world.tmux, suspiciousScreen);
  const roots = panes.filter(({ dead }) => !dead).map(({ pid, tty }) => ({ pid, tty }));
  const table = world.processes.readTrees(roots);
  const seen = panes.map((pane) => observePane(world, pane, table));
  return { takenAtMs: Date.now(), server, panes: seen, shifts: findShifts(seen, world.storedKeys) };
}

function observePane(world: World, pane: TmuxPane, table: ProcessTable): FleetPane {
  const mark = parseMark(pane.id, pane.hivemind);
  // The number of a dead pane's process may be somebody else's by now.
  const found = pane.dead ? null : findAgent(world, table.treeOf(pane.pid));
  if (found === null) {
    const nothing = { process: null, arguments: null, folder: null, live: null };
    return { ...pane, kind: "shell", name: nameInTitle(pane.title), ...nothing, mark };
  }
  const { agent, process, folder, live } = found;
  return {
    ...pane,
    kind: agent.kind,
    name: agent.nameInTitle(pane.title),
    process,
    arguments: agent.argumentsOf(process.args),
    folder,
    live,
    mark,
  };
}

/** For tests of the weaker evidence: as if the client kept no registry. */
function isBlind(env: NodeJS.ProcessEnv): boolean {
  return env.HIVEMIND_IGNORE_REGISTRY === "1";
}

/** A process that an agent is recognised in, with what that says of itself. */
interface Candidate {
  agent: Agent;
  process: ProcessInfo;
  folder: string | null;
  live: LiveSession | null;
}

function findAgent(world: World, tree: readonly TreeProcess[]): Candidate | null {
  const recognised = tree.flatMap((process) => {
    const agent = agentOf(process);
    return agent === null ? [] : [{ agent, process }];
  });
  const [nearest] = recognised;
  if (nearest === undefined) return null;
  const jobs = recognised.filter(({ process }) => process.depth === nearest.process.depth);
  const job = jobs.find(({ process }) => process.isForeground) ?? nearest;
  const found = lookAt(world, job);
  if (found.live !== null) return found;
  const inner = recognised.filter(
    ({ agent, process }) => agent === job.agent && process.depth > job.process.depth,
  );
  return inner.map((each) => lookAt(world, each)).find(({ live }) => live !== null) ?? found;
}

function lookAt(
  { env, processes }: World,
  { agent, process }: Pick<Candidate, "agent" | "process">,
): Candidate {
  const ownFolder = processes.readProcessVariable(process.pid, "CLAUDE_CONFIG_DIR");
  const folder = agent.folderOf(ownFolder, env);
  for (const place of new Set([folder, agent.folderOf(ownFolder, { HOME: env.HOME })])) {
    const live = place === null || isBlind(env) ? null : agent.liveSession(place, process);
    if (live !== null) return { agent, process, folder: place, live };
  }
  return { agent, process, folder, live: null };
}
