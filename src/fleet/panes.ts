// The panes of a tmux server joined with their processes and the agents' registry files, as a plain value.
// `clients.ts` decides which process is the agent of a pane, `shown-job.ts` which conversation the pane shows.
//
// One tmux spawn and one read of the process trees serve all panes; a second spawn only where tmux missed the end of
// a program. Looking changes nothing, in tmux or on disk. If an agent's CLAUDE_CONFIG_DIR is unset or unreadable,
// its folder is the one whose registry knows its process: the environment's or the standard one. If neither does, it
// is the environment's.

import { setTimeout as rest } from "node:timers/promises";
import type { LiveSession } from "../agents/agent.js";
import { agentOfKind, nameInTitle, suspiciousScreen } from "../agents/all.js";
import type { Asked } from "../agents/asked.js";
import type { SessionArguments } from "../agents/launch.js";
import { once } from "../base/once.js";
import type {
  ProcessInfo,
  ProcessReader,
  ProcessRoot,
  ProcessTable,
  TreeProcess,
} from "../base/system/process.js";
import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import type { Kind } from "../names/kind.js";
import { viewerName } from "../names/viewer-name.js";
import type { HookReport } from "../stores/hooks/hook-reports.js";
import type { RequestFile } from "../stores/hooks/requests.js";
import type { RosterState } from "../stores/roster.js";
import type { AgentRow } from "../stores/text/roster-rows.js";
import { type Listing, listServer, type TmuxPane, type TmuxServer } from "../tmux/listing.js";
import { noticeEnds } from "../tmux/program.js";
import type { Tmux } from "../tmux/tmux.js";
import { readPending } from "./activity/pending-tool.js";
import { type ClientFolder, searchedFolders } from "./folders.js";
import {
  type Client,
  type ClientWorld,
  clientOf,
  clientsByPane,
  registeredClients,
  sharesFile,
} from "./identity/clients.js";
import { startWords } from "./identity/ended-program.js";
import { type HookPane, hookClaims } from "./identity/hook-claims.js";
import { type BackgroundSession, shownIn } from "./identity/shown-job.js";
import { witnessed } from "./identity/witness.js";
import { fatesOf, stillOpen } from "./request-fate.js";
import { type OpenRequest, requestsOf } from "./requests.js";
import { agentsByPane, lookOf, type RosterNow, rosterNow } from "./roster/roster.js";
import { needServerOfOurs } from "./server-namespace.js";

export interface World {
  env: NodeJS.ProcessEnv;
  tmux: Tmux;
  processes: ProcessReader;
  /** Config folders seen in use earlier, besides those of running agents. */
  accounts?: readonly ClientFolder[];
  /** Reads the stored roster (default: an empty one). */
  roster?: () => RosterState;
  /** Reads what the clients' hooks handed over (default: nothing). */
  requests?: () => readonly RequestFile[];
  /** Reads the reports that the clients' hooks wrote (default: none). */
  hookReports?: () => readonly HookReport[];
}

export interface Panes {
  takenAtMs: number;
  /** Null if no tmux server runs. A server that could not be asked is an error instead. */
  server: TmuxServer | null;
  panes: readonly FleetPane[];
  /** Running conversations that no pane shows. */
  background: readonly BackgroundSession[];
  /** Every client with a registry file, in whichever pane or in none. */
  clients: readonly Client[];
  /** All known agents, placed by this look. */
  roster: RosterNow;
}

export interface FleetPane extends TmuxPane {
  kind: Kind;
  /** The session's name, from the pane's title. */
  name: string | null;
  /** The agent's own process; null if none runs. */
  process: ProcessInfo | null;
  /** The process as its own pid namespace sees it, if that is not ours. */
  inner?: ProcessInfo;
  arguments: SessionArguments | null;
  /** The agent's config folder. */
  folder: string | null;
  /** The client's registry entry for the conversation that the pane shows. */
  live: LiveSession | null;
  /** The session in its registry file, if another client may have written it there. Null: such a file is missing. */
  claimed?: SessionId | null;
  /** The agent does not have the pane's terminal: it was stopped or sent to the background of a shell. */
  isSuspended: boolean;
  /** The agent was started from a shell, which gets the keys when the agent ends. */
  isBehindShell: boolean;
  /** The pane shows the client's list of conversations, not one of them. */
  showsList: boolean;
  /** Sessions that the pane may show, if it is unclear which. */
  maybe: readonly SessionId[];
  /** The agent that sits in the pane; null if none is known. */
  agent: AgentRow | null;
  /** What its agent asks a person through its hook. Absent if it asks nothing. */
  requests?: readonly OpenRequest[];
  /** What it asks in its dialog, as far as its conversation shows. Absent if that is unknown, or a hook has it. */
  pending?: Asked;
}

type UnjoinedPane = Omit<FleetPane, "agent">;

export async function observePanes(world: World): Promise<Panes> {
  const takenAtMs = Date.now();
  // Read before the panes are listed, so that every seat in the roster is in the listing.
  const stored = world.roster?.() ?? { agents: [], edits: { roles: [], sessions: [] } };
  const { server, panes } = await listEnds(world.tmux);
  needServerOfOurs(server, world.processes);
  const roots = panes.filter(({ dead }) => !dead).map(rootOf);
  const table = world.processes.readTrees(roots);
  const { env, processes, accounts = [] } = world;
  const clientWorld: ClientWorld = { env, processes, folders: searchedFolders(env, accounts, []) };
  const registered = registeredClients(clientWorld, table);
  const background = registered.flatMap(backgroundSession);
  const placed = clientsByPane(registered, panes, server, clientWorld, table);
  const reported = reportsIn(world, server, takenAtMs);
  const look = (pane: TmuxPane) =>
    observePane(pane, placed.get(pane) ?? [], table, clientWorld, { background, reported });
  const asked = world.requests?.() ?? [];
  const seen = panes.map(look).map((pane) => withRequests(pane, asked, background, processes));
  const shown = new Set(seen.flatMap(({ live, showsList }) => (showsList ? [] : (live?.sessionId ?? []))));
  const roster = rosterNow(stored, lookOf({ server, panes: seen }, processes));
  return {
    takenAtMs,
    server,
    panes: withAgents(seen, roster),
    clients: registered.map((client) => (client.live?.shared ? withPaneLive(client, seen) : client)),
    background: background
      .filter(({ live }) => !shown.has(live.sessionId))
      .map((each) => ({ ...each, ...requestsIn(asked, { ...each, kind: each.agent.kind }, processes) })),
    roster,
  };
}

function rootOf({ pid, tty, startCommand }: TmuxPane): ProcessRoot {
  return { pid, tty, startedWith: () => startWords(startCommand) };
}

export type LonePane = Omit<UnjoinedPane, "requests" | "pending">;

/**
 * One pane with its agent, without the processes of the other panes. Null if those could matter: a client belongs to
 * the pane by its terminal, or one pane runs in another.
 */
export async function observeLonePane(
  world: World,
  isMeant: (pane: TmuxPane) => boolean,
): Promise<{ takenAtMs: number; server: TmuxServer | null; pane: LonePane } | null> {
  const takenAtMs = Date.now();
  const { server, panes } = await listServer(world.tmux, suspiciousScreen);
  needServerOfOurs(server, world.processes);
  const [pane, ...others] = panes.filter(isMeant);
  if (pane === undefined || others.length > 0 || pane.dead) return null;
  const table = world.processes.readTrees([rootOf(pane)]);
  const tree = table.treeOf(pane.pid);
  const roots = new Set(panes.flatMap(({ id, pid, dead }) => (dead || id === pane.id ? [] : pid)));
  if (tree.some(({ pid }) => roots.has(pid)) || isUnder(roots, tree[0], world.processes)) return null;
  const { env, processes, accounts = [] } = world;
  const clientWorld: ClientWorld = { env, processes, folders: searchedFolders(env, accounts, []) };
  const registered = registeredClients(clientWorld, table);
  const own = clientsByPane(registered, panes, server, clientWorld, table).get(pane) ?? [];
  if (own.some(({ process }) => !tree.some(({ pid }) => pid === process.pid))) return null;
  const background = registered.flatMap(backgroundSession);
  const reported = reportsIn(world, server, takenAtMs);
  return { takenAtMs, server, pane: observePane(pane, own, table, clientWorld, { background, reported }) };
}

/** What only a shared registry file needs of the hooks: a fleet without one reads no report for it. */
function reportsIn({ hookReports }: World, server: TmuxServer | null, nowMs: number) {
  const reports = once(() => hookReports?.() ?? []);
  return (pane: HookPane) => hookClaims(reports(), server, [pane], nowMs).claims.get(pane.id) ?? null;
}

/** Its pane shows which conversation it is in; a client without a pane is in an unknown one. */
function withPaneLive(client: Client, panes: readonly UnjoinedPane[]): Client {
  const own = panes.find(({ process }) => process?.pid === client.process.pid);
  return { ...client, live: own?.live ?? null };
}

/** Whether one of these processes runs it, directly or not. */
function isUnder(
  pids: ReadonlySet<number>,
  process: ProcessInfo | undefined,
  reader: ProcessReader,
): boolean {
  if (process === undefined || process.ppid <= 1) return false;
  return pids.has(process.ppid) || isUnder(pids, reader.findProcess(process.ppid) ?? undefined, reader);
}

/** If the pane shows a background conversation, that one's process asks. */
function withRequests(
  pane: UnjoinedPane,
  asked: readonly RequestFile[],
  background: readonly BackgroundSession[],
  processes: ProcessReader,
): UnjoinedPane {
  const shown = background.find(({ live }) => live.sessionId === pane.live?.sessionId);
  const asker = shown === undefined ? pane : { ...pane, process: shown.process };
  const found = requestsIn(asked, asker, processes);
  const pending = found.requests === undefined ? readPending(pane) : null;
  if (found.requests === undefined && pending === null) return pane;
  return { ...pane, ...found, ...(pending === null ? {} : { pending }) };
}

function requestsIn(
  asked: readonly RequestFile[],
  asker: Parameters<typeof requestsOf>[1] & Pick<FleetPane, "folder">,
  processes: ProcessReader,
): Pick<FleetPane, "requests"> {
  const open = asked.length === 0 ? [] : requestsOf(asked, asker, processes);
  const requests = withoutEnded(open, asker);
  return requests.length === 0 ? {} : { requests };
}

/**
 * Of several at once, one may have been answered in its dialog while the client still waits for another. Only the
 * conversation tells which.
 */
function withoutEnded(
  open: readonly OpenRequest[],
  { kind, folder }: Pick<FleetPane, "kind" | "folder">,
): readonly OpenRequest[] {
  const own = open.filter(({ asked }) => asked.subAgent === null);
  const forms = agentOfKind(kind)?.requests;
  if (own.length < 2 || folder === null || forms === undefined) return open;
  const kept = stillOpen(
    own.map((request) => {
      const { tool_name, tool_input } = request.file.input ?? {};
      const fates = fatesOf({ ...request, kind, folder }, forms);
      return { request, key: JSON.stringify([tool_name, tool_input]), fates };
    }),
  ).map(({ request }) => request);
  return open.filter((each) => each.asked.subAgent !== null || kept.includes(each));
}

/** The same look, joined with the roster after a change. */
export function rejoined<Seen extends Panes>(seen: Seen, roster: RosterNow): Seen {
  return { ...seen, panes: withAgents(seen.panes, roster), roster };
}

function withAgents(panes: readonly UnjoinedPane[], roster: RosterNow): FleetPane[] {
  const sitters = agentsByPane(roster);
  return panes.map((pane) => ({ ...pane, agent: sitters.get(pane.id) ?? null }));
}

/**
 * If tmux missed the end of a program, the agent would look crashed however it ended. So tmux is asked once more.
 */
async function listEnds(tmux: Tmux): Promise<Listing> {
  const listing = await listServer(tmux, suspiciousScreen);
  if (!listing.panes.some(({ dead, deadAtMs }) => dead && deadAtMs === null)) return listing;
  await noticeEnds(tmux);
  await rest(limits.endNoticeRestMs);
  return listServer(tmux, suspiciousScreen);
}

/** The parent of a `/fork` is in its job file, the parent of a parked session in its arguments. */
function backgroundSession({ live, folder, ...client }: Client): BackgroundSession[] {
  if (live?.job === undefined || live.isSpare === true || folder === null) return [];
  const { agent, process } = client;
  const { job } = live;
  const own = once(() => agent.registry?.jobs?.(folder).find(({ id }) => id === job));
  const sessionId = live.shared === undefined ? live.sessionId : own()?.session;
  if (sessionId === undefined) return [];
  const parent = agent.argumentsOf(process.args).forkedFrom ?? own()?.parent;
  return [{ ...client, folder, live: { ...live, sessionId, job }, parent: parent ?? null }];
}

function observePane(
  pane: TmuxPane,
  registered: readonly Client[],
  table: ProcessTable,
  world: ClientWorld,
  {
    background,
    reported,
  }: { background: readonly BackgroundSession[]; reported: ReturnType<typeof reportsIn> },
): UnjoinedPane {
  // The pid of a dead pane's process may belong to another process now.
  const tree = pane.dead ? [] : table.treeOf(pane.pid);
  const found = pane.dead ? null : clientOf(pane, registered, tree, world);
  if (found === null) {
    const kind = showsViewer(pane.tty, tree) ? "monitor" : "shell";
    // tmux's fields come last: adding a field to a copy of fifty takes longer than the copy.
    return {
      kind,
      name: nameInTitle(pane.title),
      process: null,
      arguments: null,
      folder: null,
      live: null,
      isSuspended: false,
      isBehindShell: false,
      showsList: false,
      maybe: [],
      ...pane,
    };
  }
  const { agent, process, folder, isSuspended, isBehindShell, inner } = found;
  const inside = inner === undefined ? {} : { inner };
  const given = agent.argumentsOf(process.args);
  const jobs = () => (folder === null ? [] : (agent.registry?.jobs?.(folder) ?? []));
  const shown = shownIn(pane, found, given, background, jobs);
  // It has several conversations open, and nothing says which one it shows.
  const open =
    found.live === null && folder !== null ? agent.registry?.heldSessions?.(folder, process) : null;
  const maybe = shown?.maybe ?? open ?? [];
  // The arguments prove nothing for one of several stopped clients, or if the client shows other conversations.
  const left = found.live?.isLeft === true ? found.live.sessionId : null;
  const isUncertain = found.isOneOfSeveral || shown !== null || left !== null || maybe.length > 0;
  const own = isUncertain ? null : found.live;
  const hook = own?.shared === undefined ? null : reported({ id: pane.id, process, ...inside });
  const { live, ...claimed } = witnessed(own, hook, given.began, isUncertain ? false : sharesFile(found));
  return {
    kind: agent.kind,
    name: given.member?.name ?? agent.titles?.nameInTitle(pane.title) ?? null,
    process,
    ...inside,
    arguments: isUncertain ? { ...given, began: null, forkedFrom: null } : given,
    folder,
    live: found.isOneOfSeveral || left !== null ? null : shown === null ? live : shown.live,
    ...claimed,
    isSuspended,
    isBehindShell,
    showsList: shown?.isList ?? false,
    maybe: left === null ? maybe : [left],
    ...pane,
  };
}

/** Whether a GNU screen at the pane's terminal was started with the viewer's name, alone or as `<pid>.<name>`. */
export function showsViewer(tty: string, tree: readonly TreeProcess[]): boolean {
  const isName = (word: string) => word.replace(/^\d+\./, "") === viewerName;
  return tree.some(
    ({ command, args, isForeground, tty: own }) =>
      command === "screen" && isForeground && own === tty && args.slice(1).some(isName),
  );
}
