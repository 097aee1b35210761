// The one live reader: the panes, the transcripts, and which session is in which pane.
// Everything else is a function of this value and the stores, so no two commands can disagree.
//
// A quick look gives the same answer as the full look, or none: without a registry entry, or with several files of
// one session, the transcripts must be read.

import { hostname } from "node:os";
import { agentOfKind, familyOf } from "../agents/all.js";
import type { ModelSetup } from "../agents/launch.js";
import { once } from "../base/once.js";
import { limits } from "../limits.js";
import type { PaneId, SessionId } from "../names/gates.js";
import { openWorkspace, type Workspace } from "../names/workspace.js";
import type { HookReport } from "../stores/hooks/hook-reports.js";
import { type Found, findSession } from "../transcripts/find.js";
import type { ReadingProgress } from "../transcripts/index.js";
import { type Index, openIndex, type TranscriptIndex } from "../transcripts/index.js";
import { mayBeHidden } from "../transcripts/unreadable.js";
import { type ClientFolder, rootsOf, searchedFolders } from "./folders.js";
import { decidingSessions } from "./identity/deciding-sessions.js";
import {
  type Discovery,
  discoverAll,
  runningState,
  type SessionState,
  type Subject,
} from "./identity/discover.js";
import { endedProgram } from "./identity/ended-program.js";
import { registeredHolders } from "./identity/holders.js";
import { type HookClaim, type HookFindings, hookClaims } from "./identity/hook-claims.js";
import { endedAgentEvidence, type LastWordsBy, lastWordsIn } from "./identity/left-behind.js";
import { transcriptOfPane } from "./identity/pane-transcript.js";
import {
  type FleetPane,
  type LonePane,
  observeLonePane,
  observePanes,
  type Panes,
  type World,
} from "./panes.js";

export interface Fleet extends Panes {
  index: Index;
  /** The reports of the clients' hooks. */
  hooks: HookFindings;
  /**
   * The start settings that decide an agent's context window. Read on demand: they are spread over several files.
   */
  models?: { get(pane: PaneId): ModelSetup | undefined };
  /** One entry per pane, also where no session was found. */
  sessions: ReadonlyMap<PaneId, Discovery>;
}

export interface TranscriptWorld extends World {
  /** The folder of the index's disposable cache. */
  cacheFolder: string;
  accounts: readonly ClientFolder[];
  /** The reports that the clients' hooks wrote. */
  hookReports(): readonly HookReport[];
  onProgress?: (progress: ReadingProgress) => void;
}

export async function observe(world: TranscriptWorld): Promise<Fleet> {
  // tmux answers while the transcripts are read. Only an agent with its own config folder needs a second read.
  const asked = observePanes(world);
  asked.catch(() => {});
  const known = await openTranscripts(world, null).refresh();
  const panes = await asked;
  const isNew = foldersOf(world, panes).length > foldersOf(world, null).length;
  const index = isNew ? await openTranscripts(world, panes).refresh() : known;
  const hooks = hooksOf(world, panes);
  const sessions = await sessionsIn(world, panes, hooks, index);
  return { ...panes, index, hooks, models: modelSetups(world, panes.panes), sessions };
}

/**
 * For a view of the panes: reads the transcripts of their sessions alone, unless another one could change the answer.
 * `index` has only what was read.
 */
export async function observeShown(world: TranscriptWorld): Promise<Fleet> {
  const panes = await observePanes(world);
  const hooks = hooksOf(world, panes);
  const subjects = await subjectsIn(world, panes, hooks);
  const needed = decidingSessions(subjects);
  const background = panes.background.map(({ live }) => live.sessionId);
  const only = needed === null ? undefined : new Set([...needed, ...background]);
  const index = await openTranscripts(world, panes).refresh(only);
  const sessions = discoverIn(world, panes, hooks, index, subjects);
  return { ...panes, index, hooks, models: modelSetups(world, panes.panes), sessions };
}

/** A look for a list of one work folder. */
export interface FolderLook {
  /** Its index may be a part. The list and its lineage are the same. */
  fleet: Fleet;
  /** The same look with every transcript. */
  whole(): Promise<Fleet>;
}

/** `parents`: by session, as the stores have them. */
export async function observeFolder(
  world: TranscriptWorld,
  workspace: Workspace,
  parents: ReadonlyMap<SessionId, SessionId>,
): Promise<FolderLook> {
  const panes = await observePanes(world);
  const hooks = hooksOf(world, panes);
  const subjects = await subjectsIn(world, panes, hooks);
  const needed = decidingSessions(subjects);
  const transcripts = openTranscripts(world, panes);
  const index = await (needed === null || parents.size > limits.linkedSessions
    ? transcripts.refresh()
    : transcripts.refreshFor({
        workFolder: workspace.path,
        isWorkFolder: (cwd) => openWorkspace(cwd).path === workspace.path,
        sessions: [...needed, ...startedWith(panes)],
        *links() {
          for (const { parent, child } of hooks.lineage) yield [parent, child];
          yield* parents;
        },
      }));
  const fleetWith = (index: Index): Fleet => {
    const sessions = discoverIn(world, panes, hooks, index, subjects);
    return { ...panes, index, hooks, models: modelSetups(world, panes.panes), sessions };
  };
  const fleet = fleetWith(index);
  const whole = async () => (index.part === undefined ? fleet : fleetWith(await transcripts.refresh()));
  return { fleet, whole };
}

/** The sessions that running clients have, or began with, and the parents that their arguments name. */
function startedWith({ panes, background }: Panes): SessionId[] {
  const inPanes = panes.flatMap(({ arguments: args }) => [
    args?.began ?? [],
    args?.forkedFrom ?? [],
    args?.parentSession ?? [],
  ]);
  const inBackground = background.flatMap(({ agent, process, live, parent }) => [
    live.sessionId,
    parent ?? [],
    agent.argumentsOf(process.args).began ?? [],
  ]);
  return [...inPanes, ...inBackground].flat();
}

export interface PaneSession {
  pane: Pick<FleetPane, "id" | "address">;
  uuid: SessionId | null;
  state: SessionState;
}

/**
 * The session of one pane. Reads the other panes' processes, and the transcripts, only where they could change the
 * answer. `typed`: its address, its id or another name.
 */
export async function observeOne(
  world: TranscriptWorld,
  typed: string,
  pick: (panes: Panes) => FleetPane,
): Promise<PaneSession> {
  const lone = await observeLonePane(world, ({ id, address }) => id === typed || address === typed);
  const alone = lone && quickLookAt(world, lone.pane, { ...lone, panes: [lone.pane] });
  if (alone) return alone;
  const panes = await observePanes(world);
  const pane = pick(panes);
  const quick = quickLookAt(world, pane, panes);
  if (quick !== null) return quick;
  const hooks = hooksOf(world, panes);
  const index = await openTranscripts(world, panes).refresh();
  const { uuid, state } = (await sessionsIn(world, panes, hooks, index)).get(pane.id)!;
  return { pane, uuid, state };
}

type SeenPanes = Pick<Panes, "server" | "takenAtMs"> & { panes: readonly LonePane[] };

function quickLookAt(world: TranscriptWorld, pane: LonePane, seen: SeenPanes): PaneSession | null {
  const hook = ownHook(pane, hooksOf(world, seen));
  const filesOf = (id: SessionId) => findSession(rootsOf(foldersOf(world, seen)), id);
  const quick = quickLook({ live: pane.live, hook }, filesOf, seen.takenAtMs);
  return quick && { pane, ...quick };
}

/** Reads no transcript: for shell prompts and status lines, which ask all the time. */
export function quickLook(
  { live, hook }: Pick<Subject, "live" | "hook">,
  /** Its transcript files, by name and time alone. */
  filesOf: (id: SessionId) => Found,
  nowMs: number,
): Omit<PaneSession, "pane"> | null {
  if (live === null || (hook !== null && hook.sessionId !== live.sessionId)) return null;
  // The records may show that it left the session of its arguments.
  if (live.shared !== undefined && hook === null) return null;
  const own = filesOf(live.sessionId);
  // Only the records tell which of several files is the pane's.
  if (own.problems.length > 0 || own.files.length > 1) return null;
  const writtenAtMs = own.files[0]?.stamp.modifiedAtMs ?? null;
  return { uuid: live.sessionId, state: runningState(writtenAtMs, nowMs) };
}

/** Opens the index over the known folders and those of the running agents. */
export function openTranscripts(world: TranscriptWorld, panes: Panes | null): TranscriptIndex {
  return openIndex({
    roots: rootsOf(foldersOf(world, panes)),
    cacheDir: world.cacheFolder,
    ...(world.onProgress ? { onProgress: world.onProgress } : {}),
  });
}

/** The config folders to search. */
export function foldersOf(world: TranscriptWorld, panes: Pick<SeenPanes, "panes"> | null): ClientFolder[] {
  return searchedFolders(world.env, world.accounts, panes?.panes ?? []);
}

async function sessionsIn(world: TranscriptWorld, seen: Panes, hooks: HookFindings, index: Index) {
  return discoverIn(world, seen, hooks, index, await subjectsIn(world, seen, hooks));
}

async function subjectsIn(world: TranscriptWorld, seen: Panes, hooks: HookFindings): Promise<Subject[]> {
  const folders = foldersOf(world, seen);
  const words = await lastWordsIn(world, seen);
  return seen.panes.map((pane) => subjectOf(pane, folders, hooks, words));
}

function discoverIn(
  world: TranscriptWorld,
  seen: Panes,
  hooks: HookFindings,
  index: Index,
  subjects: readonly Subject[],
) {
  const { panes, takenAtMs } = seen;
  const folders = foldersOf(world, seen);
  const paneOf = new Map(panes.map((pane) => [pane.id, pane]));
  return discoverAll(subjects, index.transcripts, takenAtMs, {
    isHeldElsewhere: heldElsewhere(world, folders, panes),
    isHidden: (id) => mayBeHidden(index.problems, id),
    fileOf: (pane, id) => transcriptOfPane(index, id, paneOf.get(pane)!, hooks.claims.get(pane) ?? null),
  });
}

/** Computed on demand: only a title claim needs it. */
function heldElsewhere({ processes }: World, folders: readonly ClientFolder[], panes: readonly FleetPane[]) {
  const inPanes = new Set(panes.flatMap(({ process }) => process?.pid ?? []));
  const held = once(() => {
    const holders = [...registeredHolders({ folders, processes }, (pid) => inPanes.has(pid))];
    return new Set(holders.map(({ session }) => session));
  });
  return (id: SessionId) => held().has(id);
}

function hooksOf(world: TranscriptWorld, { server, panes, takenAtMs }: SeenPanes): HookFindings {
  return hookClaims(world.hookReports(), server, panes, takenAtMs);
}

/** A client's hooks report its own conversation, not a background conversation that it shows. */
function ownHook({ id, live, showsList, maybe }: LonePane, { claims }: HookFindings): HookClaim | null {
  const showsOther = live?.job !== undefined || showsList || maybe.length > 0;
  return showsOther ? null : (claims.get(id) ?? null);
}

function subjectOf(
  pane: FleetPane,
  folders: readonly ClientFolder[],
  hooks: HookFindings,
  words: LastWordsBy,
): Subject {
  const hook = ownHook(pane, hooks);
  const cached = pane.agent?.session ?? null;
  const isWindow = pane.showsList || pane.maybe.length > 0;
  return {
    id: pane.id,
    address: pane.address,
    family: familyOf(pane.kind),
    // The title of a pane that shows background conversations is not the title of its own one.
    ...titleOf(pane, isWindow ? null : (pane.live?.name ?? hook?.title ?? pane.name ?? startedAs(pane))),
    cwd: pane.live?.cwd ?? (pane.cwd || pane.startPath || null),
    startedAtMs: pane.process === null ? null : (pane.live?.startedAtMs ?? pane.process.startedAtMs),
    endedAtMs: pane.deadAtMs,
    live: pane.live?.shared ? null : pane.live,
    hook,
    ...(pane.claimed === undefined ? {} : { claimed: pane.claimed }),
    began: pane.arguments?.began ?? null,
    forkedFrom: pane.arguments?.forkedFrom ?? null,
    left: pane.dead ? endedAgentEvidence(pane, folders, hooks, words) : [],
    saidTitle: words.get(pane.id)?.title ?? null,
    maybe: pane.maybe,
    member: pane.arguments?.member ?? null,
    cached,
    registeredAtMs: cached === null ? null : pane.agent!.epoch * 1000,
  };
}

/** tmux titles every pane with the name of the host until a program sets another title. */
function titleOf({ process }: FleetPane, title: string | null): Pick<Subject, "title" | "defaultTitle"> {
  const isDefault = process === null && title === hostname();
  return isDefault ? { title: null, defaultTitle: title } : { title };
}

/** From the start command, because tmux blanks the title of a dead pane. */
function startedAs({ dead, startCommand }: FleetPane): string | null {
  return dead ? (endedProgram(startCommand)?.given.name ?? null) : null;
}

function modelSetups({ processes }: World, panes: readonly FleetPane[]): NonNullable<Fleet["models"]> {
  const known = new Map<PaneId, ModelSetup | undefined>();
  const setupOf = ({ kind, process, folder, live, cwd }: FleetPane): ModelSetup | undefined => {
    const agent = agentOfKind(kind);
    if (process === null || !agent?.model) return undefined;
    const variables = processes.readProcessVariables(process.pid, agent.model.variables);
    const { args, startedAtMs } = process;
    return agent.model.setup({ args, startedAtMs, variables, folder, cwd: live?.cwd ?? (cwd || null) });
  };
  return {
    get(id) {
      const pane = known.has(id) ? undefined : panes.find((each) => each.id === id);
      if (pane !== undefined) known.set(id, setupOf(pane));
      return known.get(id);
    },
  };
}
