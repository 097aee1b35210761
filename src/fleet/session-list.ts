// Every conversation there is, each in the workspace it belongs to.
//
// [SE1] A session belongs to the real path of the folder that its records name, never to the folder its file lies in:
//       that name is shared by several. Where its records name two, the one its file was put under counts.
// [SE2] Of one id with files in two workspaces each workspace has its own; in one workspace it stands once, with the
//       last written file, and once more for another file that the agent of a pane writes.
// [SE3] A session that a pane or a background process has and no file tells of (a fork before its first word) is there
//       too, in the workspace of that pane or process.
// [SE4] Newest first, in the order that a managed store has: by the last change, then the file's own time, then ids
//       backwards. What is not known is null.
//
// Claude's lie in its transcripts and are named by UUIDs; claw's lie in the managed store of their workspace
// (fleet/managed-list.ts). Side by side they are `AnySession`.

import { basename, dirname, isAbsolute } from "node:path";
import type { Kind } from "../agents/agent.js";
import type { SessionId } from "../names/gates.js";
import type { ManagedId } from "../names/managed-id.js";
import { projectSlug } from "../names/slug.js";
import { openWorkspace, type Workspace } from "../names/workspace.js";
import type { Transcript } from "../transcripts/transcript.js";
import { contextOf, transcriptIn, type Windows, windowAgentIn } from "./context.js";
import { runningState, type SessionState } from "./discover.js";
import type { Fleet } from "./observe.js";
import type { FleetPane, Panes } from "./panes.js";
import type { BackgroundSession } from "./shown-job.js";

/** What is known of a conversation, whoever keeps it. */
export interface SessionFacts {
  agent: Kind;
  title: string | null;
  workspace: Workspace | null;
  model: string | null;
  /** The window is null where it is not known. */
  context: { used: number; window: number | null } | null;
  bornAtMs: number | null;
  updatedAtMs: number | null;
  path: string | null;
  sizeBytes: number | null;
  /** What a person and the agent said; null where no file tells of it. */
  messages: number | null;
  /** The git branch that its last record names. */
  gitBranch: string | null;
  /** Where its agent runs, and where it ran last; running ones first. Two processes can resume one session. */
  panes: readonly FleetPane[];
  /** The process that has it without a pane. */
  background: BackgroundSession | null;
  state: SessionState;
}

export interface SessionEntry extends SessionFacts {
  store: "transcripts";
  id: SessionId;
}

export interface ManagedEntry extends SessionFacts {
  store: "managed";
  id: ManagedId;
  /** Its own record says so: no lineage has to be inferred. */
  parent: ManagedId | null;
  /** The name that its fork was given. */
  branch: string | null;
  isLegacy: boolean;
  /** The file's own time. */
  modifiedAtMs: number;
}

export type AnySession = SessionEntry | ManagedEntry;

export function listSessions(fleet: Fleet, windows: Windows): SessionEntry[] {
  return entriesOf(homesIn(fleet, rememberedWorkspaces()), fleet, windows);
}

/** Those of one workspace. Of the others, which are far more, only what their records name is looked at. */
export function listSessionsIn(workspace: Workspace, fleet: Fleet, windows: Windows): SessionEntry[] {
  const workspaceOf = rememberedWorkspaces();
  const isNamed = (cwd: string | null) => isSame(workspaceOf(cwd), workspace);
  const ids = new Set<SessionId>();
  for (const { id, facts } of fleet.index.transcripts) {
    if (isNamed(facts.firstCwd) || isNamed(facts.lastCwd)) ids.add(id);
  }
  const homes = homesIn(fleet, workspaceOf, ids);
  return entriesOf(
    homes.filter((home) => isSame(home.workspace, workspace)),
    fleet,
    windows,
  );
}

/** How many there are, each in each workspace that has it. */
export function countSessions(fleet: Fleet): number {
  return homesIn(fleet, rememberedWorkspaces()).length;
}

/** Where it runs now; null for one that ended or is only saved. */
export function runningPane({ panes }: SessionFacts): FleetPane | null {
  return panes.find(isRunning) ?? null;
}

/** Whether a process has it, in a pane or in the background. */
export function hasProcess(entry: SessionFacts): boolean {
  return entry.background !== null || runningPane(entry) !== null;
}

export function isRunning({ process }: FleetPane): boolean {
  return process !== null;
}

export function isIn(entry: SessionFacts, workspace: Workspace): boolean {
  return entry.workspace?.path === workspace.path;
}

export function byAge(a: AnySession, b: AnySession): number {
  const [first, second] = [writtenAtMs(a), writtenAtMs(b)];
  return (b.updatedAtMs ?? 0) - (a.updatedAtMs ?? 0) || second - first || (a.id < b.id ? 1 : -1);
}

function writtenAtMs(entry: AnySession): number {
  return (entry.store === "managed" ? entry.modifiedAtMs : entry.updatedAtMs) ?? 0;
}

/** The workspaces that sessions or panes are known in. */
export function knownFolders(entries: readonly SessionFacts[], { panes }: Panes): string[] {
  const held = entries.flatMap(({ workspace }) => workspace?.path ?? []);
  return [...new Set([...held, ...panes.flatMap((pane) => folderOf(pane) ?? [])])];
}

/** Where the agent of a pane works, or worked. */
export function folderOf({ live, cwd, startPath }: FleetPane): string | null {
  const folder = live?.cwd ?? (cwd || startPath || null);
  // A relative path would be taken from the folder that we happen to be in.
  return folder !== null && isAbsolute(folder) ? folder : null;
}

/** One session in one workspace. */
interface Home {
  id: SessionId;
  transcript: Transcript | null;
  workspace: Workspace | null;
  panes: FleetPane[];
  background: BackgroundSession | null;
}

/** Of `wanted` and of the sessions that panes have, or of all. */
function homesIn(fleet: Fleet, workspaceOf: WorkspaceOf, wanted?: ReadonlySet<SessionId>): Home[] {
  const held = fleet.panes.toSorted(runningFirst).flatMap((pane) => {
    const id = fleet.sessions.get(pane.id)?.uuid ?? null;
    return id === null ? [] : [{ pane, id }];
  });
  const asked = wanted === undefined ? fleet.index.byId.keys() : [...wanted, ...held.map(({ id }) => id)];
  const ids = new Set([...asked, ...fleet.background.map(({ live }) => live.sessionId)]);
  const homes = new Map<SessionId, Home[]>();
  for (const id of ids) homes.set(id, homesOf(id, fleet.index.byId.get(id) ?? [], workspaceOf));
  for (const { pane, id } of held) {
    const own = homes.get(id) ?? [];
    homeOf(pane, id, own, fleet, workspaceOf).panes.push(pane);
    homes.set(id, own);
  }
  for (const each of fleet.background) {
    const { sessionId: id, cwd } = each.live;
    const own = homes.get(id) ?? [];
    homeIn(own, id, workspaceOf(cwd)).background = each;
    homes.set(id, own);
  }
  return [...homes.values()].flat();
}

/** The one of this workspace, else the first; made where there is none. */
function homeIn(own: Home[], id: SessionId, workspace: Workspace | null): Home {
  if (own.length === 0) own.push({ id, transcript: null, workspace, panes: [], background: null });
  return own.find((home) => isSame(home.workspace, workspace)) ?? own[0]!;
}

/** The one with the file that the pane's agent writes; it is added where it is not among them. */
function homeOf(pane: FleetPane, id: SessionId, homes: Home[], fleet: Fleet, workspaceOf: WorkspaceOf): Home {
  const transcript = transcriptIn(pane, fleet);
  const workspace =
    transcript === null ? workspaceOf(folderOf(pane)) : workspaceOfRecords(transcript, workspaceOf);
  const known = homes.find((home) => home.transcript === transcript && isSame(home.workspace, workspace));
  if (known !== undefined) return known;
  const added: Home = { id, transcript, workspace, panes: [], background: null };
  homes.push(added);
  return added;
}

/** The files of one session, the last written of each workspace. */
function homesOf(id: SessionId, transcripts: readonly Transcript[], workspaceOf: WorkspaceOf): Home[] {
  const homes: Home[] = [];
  for (const transcript of transcripts) {
    const workspace = workspaceOfRecords(transcript, workspaceOf);
    if (!homes.some((other) => isSame(other.workspace, workspace)))
      homes.push({ id, transcript, workspace, panes: [], background: null });
  }
  return homes;
}

function entriesOf(homes: readonly Home[], fleet: Fleet, windows: Windows): SessionEntry[] {
  return homes.map((home) => entryOf(home, fleet, windows)).sort(byAge);
}

type WorkspaceOf = (cwd: string | null) => Workspace | null;

/** Thousands of transcripts name some dozen folders. */
function rememberedWorkspaces(): WorkspaceOf {
  const known = new Map<string | null, Workspace | null>();
  return (cwd) => {
    const found = known.get(cwd);
    if (found !== undefined) return found;
    const workspace = cwd === null || !isAbsolute(cwd) ? null : openWorkspace(cwd);
    known.set(cwd, workspace);
    return workspace;
  };
}

function workspaceOfRecords({ path, facts }: Transcript, workspaceOf: WorkspaceOf): Workspace | null {
  const first = workspaceOf(facts.firstCwd);
  if (facts.lastCwd === facts.firstCwd) return first;
  const slug = basename(dirname(path));
  const named = [first, workspaceOf(facts.lastCwd)].filter((each) => each !== null);
  return named.find((workspace) => projectSlug(workspace.path) === slug) ?? named[0] ?? null;
}

function entryOf(home: Home, fleet: Fleet, windows: Windows): SessionEntry {
  const { id, transcript, workspace, panes, background } = home;
  const [pane] = panes;
  const process = pane?.process ?? background?.process ?? null;
  const found = pane === undefined ? undefined : fleet.sessions.get(pane.id);
  const agent = pane === undefined ? null : windowAgentIn(pane, fleet);
  const context = transcript && contextOf(transcript, agent, windows, fleet.takenAtMs);
  return {
    store: "transcripts",
    id,
    // All transcripts so far are Claude's; only a running program can say that it is another.
    agent: pane !== undefined && isRunning(pane) ? pane.kind : "claude",
    title: background?.live.name ?? transcript?.facts.title ?? found?.title ?? null,
    workspace,
    model: transcript?.facts.model ?? pane?.arguments?.model ?? null,
    context: context && { used: context.used, window: context.window },
    bornAtMs: transcript?.bornAtMs ?? transcript?.facts.firstAtMs ?? process?.startedAtMs ?? null,
    updatedAtMs: transcript?.modifiedAtMs ?? process?.startedAtMs ?? null,
    path: transcript?.path ?? null,
    sizeBytes: transcript?.sizeBytes ?? null,
    messages: transcript?.facts.messages ?? null,
    gitBranch: transcript?.facts.gitBranch ?? null,
    panes,
    background,
    state:
      background === null
        ? (found?.state ?? "stale")
        : runningState(transcript?.modifiedAtMs ?? null, fleet.takenAtMs),
  };
}

function isSame(a: Workspace | null, b: Workspace | null): boolean {
  return a?.path === b?.path;
}

function runningFirst(a: FleetPane, b: FleetPane): number {
  return Number(isRunning(b)) - Number(isRunning(a));
}
