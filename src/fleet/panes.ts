// The panes of a tmux server with what runs in them: panes × processes × the agents' own word, as a plain value.
//
// [OB1] One tmux spawn and one look at the panes' process trees serve all panes.
// [OB2] The agent of a pane is the recognised process nearest to the pane's root: a client that an agent runs as a
//       tool, further down, is not taken for it.
// [OB3] Looking changes nothing, in tmux or on disk.

import type { Kind, LiveSession, SessionArguments } from "../agents/agent.js";
import { agentOf, nameInTitle, troubleOnScreen } from "../agents/all.js";
import type { ProcessInfo, ProcessReader, ProcessTable } from "../processes/process.js";
import { listServer, type TmuxPane, type TmuxServer } from "../tmux/listing.js";
import type { Tmux } from "../tmux/tmux.js";
import { type Mark, parseMark } from "./mark.js";
import { findShifts, type Shifts } from "./shifts.js";

export interface World {
  env: NodeJS.ProcessEnv;
  tmux: Tmux;
  processes: ProcessReader;
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
  const { server, panes } = await listServer(world.tmux, { search: troubleOnScreen });
  const roots = panes.filter(({ dead }) => !dead).map(({ pid, tty }) => ({ pid, tty }));
  const table = world.processes.readTrees(roots);
  const seen = panes.map((pane) => observePane(world, pane, table));
  return { takenAtMs: Date.now(), server, panes: seen, shifts: findShifts(seen) };
}

function observePane(world: World, pane: TmuxPane, table: ProcessTable): FleetPane {
  const mark = parseMark(pane.id, pane.hivemind);
  // The number of a dead pane's process may be somebody else's by now.
  const found = pane.dead ? null : findAgent(table.treeOf(pane.pid));
  if (found === null) {
    const nothing = { process: null, arguments: null, folder: null, live: null };
    return { ...pane, kind: "shell", name: nameInTitle(pane.title), ...nothing, mark };
  }
  const { agent, process } = found;
  const ownFolder = world.processes.readProcessVariable(process.pid, "CLAUDE_CONFIG_DIR");
  const folder = agent.folderOf(ownFolder, world.env);
  return {
    ...pane,
    kind: agent.kind,
    name: agent.nameInTitle(pane.title),
    process,
    arguments: agent.argumentsOf(process.args),
    folder,
    live: folder === null || isBlind(world.env) ? null : agent.liveSession(folder, process),
    mark,
  };
}

/** For tests of the weaker evidence: as if the client kept no registry. */
function isBlind(env: NodeJS.ProcessEnv): boolean {
  return env.HIVEMIND_IGNORE_REGISTRY === "1";
}

function findAgent(tree: readonly ProcessInfo[]) {
  for (const process of tree) {
    const agent = agentOf(process);
    if (agent !== null) return { agent, process };
  }
  return null;
}
