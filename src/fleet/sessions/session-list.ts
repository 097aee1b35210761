// All conversations, each in the workspace it belongs to.
//
// - A session belongs to the real path of the folder in its records, never to the folder of its file: several
//   workspaces share such a name. If its records name two folders, the one that matches the file's folder counts.
// - An id with files in two workspaces is listed in each. In one workspace it is listed once, with the last written
//   file, and once more for another file that the agent of a pane writes.
// - A session that a pane or a background process has without a file (a fork before its first message) is listed in
//   the workspace of that pane or process.
// - Newest first, in the order of a managed store: by last change, then file time, then id in reverse.
// - Unknown values are null.
//
// Claude's sessions are transcripts named by UUIDs; claw's are in the managed store of their workspace
// (fleet/sessions/managed-list.ts). Together they are `AnySession`.

import { basename, dirname, isAbsolute } from "node:path";
import type { SessionId } from "../../names/gates.js";
import type { Kind } from "../../names/kind.js";
import type { ManagedId } from "../../names/managed-id.js";
import { projectSlug } from "../../names/slug.js";
import { openWorkspace, type Workspace } from "../../names/workspace.js";
import type { Transcript } from "../../transcripts/transcript.js";
import { contextOf, transcriptIn, type Windows, windowAgentIn } from "../activity/context.js";
import { runningState, type SessionState } from "../identity/discover.js";
import type { BackgroundSession } from "../identity/shown-job.js";
import type { Fleet } from "../observe.js";
import type { FleetPane, Panes } from "../panes.js";

/** What is known about a conversation, for every kind of agent. */
export interface SessionFacts {
  agent: Kind;
  title: string | null;
  workspace: Workspace | null;
  model: string | null;
  /** `window` is null if it is unknown. */
  context: { used: number; window: number | null } | null;
  bornAtMs: number | null;
  updatedAtMs: number | null;
  path: string | null;
  sizeBytes: number | null;
  /** Messages of the user and the agent; null without a file. */
  messages: number | null;
  /** The git branch in its last record. */
  gitBranch: string | null;
  /** Where its agent runs or last ran, running ones first. Two processes can resume one session. */
  panes: readonly FleetPane[];
  /** The process that has it without a pane. */
  background: BackgroundSession | null;
  state: SessionState;
}

export interface SessionEntry extends SessionFacts {
  store: "transcripts";
  id: SessionId;
  /** The client's folder that holds it; null without a file. */
  folder: string | null;
  /** How often it was compacted; of very many only the last ones count. Null without a file. */
  compactions: number | null;
}

export interface ManagedEntry extends SessionFacts {
  store: "managed";
  id: ManagedId;
  /** From its own record: no lineage has to be inferred. */
  parent: ManagedId | null;
  /** The name given to the fork. */
  branch: string | null;
  isLegacy: boolean;
  /** The file's own time. */
  modifiedAtMs: number;
}

export type AnySession = SessionEntry | ManagedEntry;

export function listSessions(fleet: Fleet, windows: Windows): SessionEntry[] {
  return entriesOf(placementsIn(fleet, rememberedWorkspaces()), fleet, windows);
}

/**
 * The sessions of one workspace. For the others, which are far more, only the folders in their records are checked.
 */
export function listSessionsIn(workspace: Workspace, fleet: Fleet, windows: Windows): SessionEntry[] {
  const workspaceOf = rememberedWorkspaces();
  const isNamed = (cwd: string | null) => isSame(workspaceOf(cwd), workspace);
  const ids = new Set<SessionId>();
  for (const { id, facts } of fleet.index.transcripts) {
    if (isNamed(facts.firstCwd) || isNamed(facts.lastCwd)) ids.add(id);
  }
  const placements = placementsIn(fleet, workspaceOf, ids).filter((placement) =>
    isSame(placement.workspace, workspace),
  );
  return entriesOf(placements, fleet, windows);
}

/** How many sessions there are, counted once per workspace. */
export function countSessions(fleet: Fleet): number {
  return placementsIn(fleet, rememberedWorkspaces()).length;
}

/** The pane where it runs; null if it ended or is only saved. */
export function runningPane({ panes }: SessionFacts): FleetPane | null {
  return panes.find(isRunning) ?? null;
}

/** The process of a session that runs without a pane; null for every other session. */
export function backgroundFacts(background: BackgroundSession | null) {
  return background && { pid: background.process.pid, job: background.live.job };
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
  const byChange = (b.updatedAtMs ?? 0) - (a.updatedAtMs ?? 0);
  return byChange || writtenAtMs(b) - writtenAtMs(a) || (a.id < b.id ? 1 : -1);
}

function writtenAtMs(entry: AnySession): number {
  return (entry.store === "managed" ? entry.modifiedAtMs : entry.updatedAtMs) ?? 0;
}

/** The workspaces of sessions and panes. */
export function knownFolders(entries: readonly SessionFacts[], { panes }: Panes): string[] {
  const held = entries.flatMap(({ workspace }) => workspace?.path ?? []);
  return [...new Set([...held, ...panes.flatMap((pane) => folderOf(pane) ?? [])])];
}

/** The folder where the agent of a pane works or worked. */
export function folderOf({ live, cwd, startPath }: FleetPane): string | null {
  const folder = live?.cwd ?? (cwd || startPath || null);
  // A relative path would be resolved against our own working directory.
  return folder !== null && isAbsolute(folder) ? folder : null;
}

/** One session in one workspace. */
interface Placement {
  id: SessionId;
  transcript: Transcript | null;
  workspace: Workspace | null;
  panes: FleetPane[];
  background: BackgroundSession | null;
}

/** For `wanted` and the sessions of panes (default: for all). */
function placementsIn(fleet: Fleet, workspaceOf: WorkspaceOf, wanted?: ReadonlySet<SessionId>): Placement[] {
  const runningFirst = fleet.panes.toSorted((a, b) => Number(isRunning(b)) - Number(isRunning(a)));
  const held = runningFirst.flatMap((pane) => {
    const id = fleet.sessions.get(pane.id)?.uuid ?? null;
    return id === null ? [] : [{ pane, id }];
  });
  const ids = new Set([
    ...(wanted ?? fleet.index.byId.keys()),
    ...held.map(({ id }) => id),
    ...fleet.background.map(({ live }) => live.sessionId),
  ]);
  const placements = new Map<SessionId, Placement[]>();
  for (const id of ids) placements.set(id, placementsOf(id, fleet.index.byId.get(id) ?? [], workspaceOf));
  for (const { pane, id } of held)
    placementOf(pane, id, placements.get(id)!, fleet, workspaceOf).panes.push(pane);
  for (const each of fleet.background) {
    const { sessionId: id, cwd } = each.live;
    placementIn(placements.get(id)!, id, workspaceOf(cwd)).background = each;
  }
  return [...placements.values()].flat();
}

/** The entry of this workspace, else the first; created if there is none. */
function placementIn(own: Placement[], id: SessionId, workspace: Workspace | null): Placement {
  if (own.length === 0) own.push({ id, transcript: null, workspace, panes: [], background: null });
  return own.find((placement) => isSame(placement.workspace, workspace)) ?? own[0]!;
}

/** The entry with the file that the pane's agent writes; added if missing. */
function placementOf(
  pane: FleetPane,
  id: SessionId,
  placements: Placement[],
  fleet: Fleet,
  workspaceOf: WorkspaceOf,
): Placement {
  const transcript = transcriptIn(pane, fleet);
  const workspace =
    transcript === null ? workspaceOf(folderOf(pane)) : workspaceOfRecords(transcript, workspaceOf);
  const known = placements.find(
    (placement) => placement.transcript === transcript && isSame(placement.workspace, workspace),
  );
  if (known !== undefined) return known;
  const added: Placement = { id, transcript, workspace, panes: [], background: null };
  placements.push(added);
  return added;
}

/** One entry per workspace, with its last written file. */
function placementsOf(
  id: SessionId,
  transcripts: readonly Transcript[],
  workspaceOf: WorkspaceOf,
): Placement[] {
  const placements: Placement[] = [];
  for (const transcript of transcripts) {
    const workspace = workspaceOfRecords(transcript, workspaceOf);
    if (!placements.some((other) => isSame(other.workspace, workspace)))
      placements.push({ id, transcript, workspace, panes: [], background: null });
  }
  return placements;
}

function entriesOf(placements: readonly Placement[], fleet: Fleet, windows: Windows): SessionEntry[] {
  return placements.map((placement) => entryOf(placement, fleet, windows)).sort(byAge);
}

type WorkspaceOf = (cwd: string | null) => Workspace | null;

/** Thousands of transcripts name a few dozen folders. */
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

function entryOf(placement: Placement, fleet: Fleet, windows: Windows): SessionEntry {
  const { id, transcript, workspace, panes, background } = placement;
  const [pane] = panes;
  const process = pane?.process ?? background?.process ?? null;
  const found = pane === undefined ? undefined : fleet.sessions.get(pane.id);
  const agent = pane === undefined ? null : windowAgentIn(pane, fleet);
  const context = transcript && contextOf(transcript, agent, windows, fleet.takenAtMs);
  return {
    store: "transcripts",
    id,
    // A demo agent writes Claude Code's format; only its running program tells.
    agent: pane !== undefined && isRunning(pane) ? pane.kind : (transcript?.kind ?? "claude"),
    title: background?.live.name ?? transcript?.facts.title ?? found?.title ?? null,
    workspace,
    model: transcript?.facts.model ?? pane?.arguments?.model ?? null,
    context: context && { used: context.used, window: context.window },
    bornAtMs: transcript?.bornAtMs ?? transcript?.facts.firstAtMs ?? process?.startedAtMs ?? null,
    updatedAtMs: transcript?.modifiedAtMs ?? process?.startedAtMs ?? null,
    folder: transcript?.folder ?? null,
    path: transcript?.path ?? null,
    sizeBytes: transcript?.sizeBytes ?? null,
    messages: transcript?.facts.messages ?? null,
    compactions: transcript?.facts.boundaries.length ?? null,
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
