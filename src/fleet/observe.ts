// The one live reader: panes × processes × the agents' own word, as a plain value.
//
// [OB1] One tmux spawn and one look at the panes' process trees serve all panes.
// [OB2] The agent of a pane is the recognised process nearest to the pane's root: a client that an agent runs as a
//       tool, further down, is not taken for it.
// [OB3] Looking changes nothing, in tmux or on disk.

import type { Kind, LiveSession } from "../agents/agent.js";
import { agentOf } from "../agents/all.js";
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

export interface Fleet {
  takenAtMs: number;
  /** Null when there is no tmux server; a server that could not be asked is an error instead. */
  server: TmuxServer | null;
  panes: readonly FleetPane[];
  /** What moved since the stores were last right. */
  shifts: Shifts;
}

export interface FleetPane extends TmuxPane {
  kind: Kind;
  /** The agent's own process. */
  process: ProcessInfo | null;
  live: LiveSession | null;
  mark: Mark | null;
}

export async function observe(world: World): Promise<Fleet> {
  const { server, panes } = await listServer(world.tmux);
  const roots = panes.filter(({ dead }) => !dead).map(({ pid, tty }) => ({ pid, tty }));
  const table = world.processes.readTrees(roots);
  const seen = panes.map((pane) => observePane(world, pane, table));
  return { takenAtMs: Date.now(), server, panes: seen, shifts: findShifts(seen) };
}

function observePane(world: World, pane: TmuxPane, table: ProcessTable): FleetPane {
  const mark = parseMark(pane.id, pane.hivemind);
  // The number of a dead pane's process may be somebody else's by now.
  const found = pane.dead ? null : findAgent(table.treeOf(pane.pid));
  if (found === null) return { ...pane, kind: "shell", process: null, live: null, mark };
  const { agent, process } = found;
  const ownFolder = world.processes.readProcessVariable(process.pid, "CLAUDE_CONFIG_DIR");
  const folder = agent.folderOf(ownFolder, world.env);
  const live = folder === null ? null : agent.liveSession(folder, process);
  return { ...pane, kind: agent.kind, process, live, mark };
}

function findAgent(tree: readonly ProcessInfo[]) {
  for (const process of tree) {
    const agent = agentOf(process);
    if (agent !== null) return { agent, process };
  }
  return null;
}
