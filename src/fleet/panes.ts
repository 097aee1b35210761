// The panes of a tmux server with what runs in them: panes × processes × the agents' own word, as a plain value.
// `clients.ts` says which process is the agent of a pane, `shown-job.ts` which conversation stands in it.
//
// [OB1] One tmux spawn and one look at the panes' process trees serve all panes; more only where tmux missed an end.
// [OB2] Looking changes nothing, in tmux or on disk.
// [OB3] An agent with no CLAUDE_CONFIG_DIR that could be read is in the folder that knows its process: the environment's,
//       or the standard one, which who starts an agent leaves unnamed. Where neither does, in the environment's.

import { setTimeout as rest } from "node:timers/promises";
import type { Kind, LiveSession, SessionArguments } from "../agents/agent.js";
import { nameInTitle, suspiciousScreen } from "../agents/all.js";
import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import type { ProcessInfo, ProcessReader, ProcessTable } from "../processes/process.js";
import { type Listing, listServer, type TmuxPane, type TmuxServer } from "../tmux/listing.js";
import { noticeEnds } from "../tmux/program.js";
import type { Tmux } from "../tmux/tmux.js";
import { type Client, type ClientWorld, clientOf, clientsByPane, registeredClients } from "./clients.js";
import { searchedFolders } from "./folders.js";
import { type Mark, parseMark } from "./mark.js";
import { findShifts, type Shifts, type StoredKeys } from "./shifts.js";
import { type BackgroundSession, shownIn } from "./shown-job.js";
import { showsViewer } from "./viewer-pane.js";

export interface World {
  env: NodeJS.ProcessEnv;
  tmux: Tmux;
  processes: ProcessReader;
  /** Config folders that were seen in use, besides those of running agents. */
  accounts?: readonly string[];
  /** What the stores have rows of; without it no name counts as borrowed. */
  storedKeys?: () => StoredKeys;
}

export interface Panes {
  takenAtMs: number;
  /** Null when there is no tmux server; a server that could not be asked is an error instead. */
  server: TmuxServer | null;
  panes: readonly FleetPane[];
  /** Conversations that run and that no pane shows. */
  background: readonly BackgroundSession[];
  /** Every client that a registry tells of, in whichever pane, or in none. */
  clients: readonly Client[];
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
  /** What the client says of the conversation that stands in the pane. */
  live: LiveSession | null;
  /** The agent does not have the pane's terminal: it was stopped, or sent behind a shell. */
  isSuspended: boolean;
  /** A person started the agent from a shell, which gets the keys when the agent ends. */
  isBehindShell: boolean;
  /** The list of the client's conversations stands in the pane, none of them. */
  showsList: boolean;
  /** Sessions that the pane may show, where nothing tells which. */
  maybe: readonly SessionId[];
  mark: Mark | null;
}

export async function observePanes(world: World): Promise<Panes> {
  const { server, panes } = await listEnds(world.tmux);
  const roots = panes.filter(({ dead }) => !dead).map(({ pid, tty }) => ({ pid, tty }));
  const table = world.processes.readTrees(roots);
  const { env, processes, accounts = [] } = world;
  const clientWorld: ClientWorld = { env, processes, folders: searchedFolders(env, accounts, []) };
  const registered = registeredClients(clientWorld, table);
  const background = registered.flatMap(backgroundSession);
  const placed = clientsByPane(registered, panes, server, clientWorld, table);
  const look = (pane: TmuxPane) => observePane(pane, placed.get(pane) ?? [], table, clientWorld, background);
  const seen = panes.map(look);
  const shown = new Set(seen.flatMap(({ live, showsList }) => (showsList ? [] : (live?.sessionId ?? []))));
  return {
    takenAtMs: Date.now(),
    server,
    panes: seen,
    clients: registered,
    background: background.filter(({ live }) => !shown.has(live.sessionId)),
    shifts: findShifts(seen, world.storedKeys),
  };
}

/** A program of which tmux missed the end would pass for crashed, however it ended: tmux is asked once more. */
async function listEnds(tmux: Tmux): Promise<Listing> {
  const listing = await listServer(tmux, suspiciousScreen);
  if (!listing.panes.some(({ dead, deadAtMs }) => dead && deadAtMs === null)) return listing;
  await noticeEnds(tmux);
  await rest(limits.endNoticeRestMs);
  return listServer(tmux, suspiciousScreen);
}

/** Its own file names the parent of a `/fork`; the arguments of a parked one do. */
function backgroundSession({ live, folder, ...client }: Client): BackgroundSession[] {
  if (live?.job === undefined || live.isSpare === true || folder === null) return [];
  const { agent, process } = client;
  const { job } = live;
  const parent =
    agent.argumentsOf(process.args).forkedFrom ?? agent.jobs(folder).find(({ id }) => id === job)?.parent;
  return [{ ...client, folder, live: { ...live, job }, parent: parent ?? null }];
}

function observePane(
  pane: TmuxPane,
  registered: readonly Client[],
  table: ProcessTable,
  world: ClientWorld,
  background: readonly BackgroundSession[],
): FleetPane {
  const mark = parseMark(pane.id, pane.hivemind);
  // The number of a dead pane's process may be somebody else's by now.
  const tree = pane.dead ? [] : table.treeOf(pane.pid);
  const found = pane.dead ? null : clientOf(pane, registered, tree, world);
  if (found === null) {
    const nothing = { process: null, arguments: null, folder: null, live: null };
    const name = nameInTitle(pane.title);
    return {
      ...pane,
      kind: showsViewer(pane.tty, tree) ? "monitor" : "shell",
      name,
      ...nothing,
      isSuspended: false,
      isBehindShell: false,
      showsList: false,
      maybe: [],
      mark,
    };
  }
  const { agent, process, folder, isSuspended, isBehindShell } = found;
  const given = agent.argumentsOf(process.args);
  const jobs = () => (folder === null ? [] : agent.jobs(folder));
  const shown = shownIn(pane, found, given, background, jobs);
  // Of several stopped ones, and of a client that shows others' conversations, the arguments tell nothing.
  const isUntold = found.isOneOfSeveral || shown !== null;
  return {
    ...pane,
    kind: agent.kind,
    name: given.member?.name ?? agent.nameInTitle(pane.title),
    process,
    arguments: isUntold ? { ...given, began: null, forkedFrom: null } : given,
    folder,
    live: found.isOneOfSeveral ? null : shown === null ? found.live : shown.live,
    isSuspended,
    isBehindShell,
    showsList: shown?.isList ?? false,
    maybe: shown?.maybe ?? [],
    mark,
  };
}
