// The one live reader: the panes, the transcripts, and which session is in which pane.
// Everything else is a function of this value and the stores, so no two commands can disagree.

import { transcriptLines } from "../agents/all.js";
import type { PaneId, SessionId } from "../names/gates.js";
import type { HookReport } from "../stores/hook-reports.js";
import { findSession } from "../transcripts/find.js";
import { mayHide } from "../transcripts/hidden.js";
import { type Index, openIndex, type TranscriptIndex } from "../transcripts/index.js";
import type { Progress } from "../transcripts/scan-all.js";
import type { Cached } from "./cached.js";
import { type Discovery, discoverAll, type LeftBehind, type SessionState, type Subject } from "./discover.js";
import { endedProgram } from "./ended-program.js";
import { searchedFolders } from "./folders.js";
import { registeredHolders } from "./holders.js";
import { type HookClaim, type HookFindings, hookClaims } from "./hook-claims.js";
import { type LastWordsBy, lastWordsIn, leftBehind } from "./left-behind.js";
import { type ModelSetups, modelSetups } from "./model-setups.js";
import { transcriptOfPane } from "./pane-transcript.js";
import { type FleetPane, observePanes, type Panes, type World } from "./panes.js";
import { quickLook } from "./quick-look.js";

export interface Fleet extends Panes {
  index: Index;
  /** What the clients' hooks reported. */
  hooks: HookFindings;
  /** What the agents were started with, as far as it decides their context window. */
  models?: ModelSetups;
  /** For every pane, also one in which nothing was found. */
  sessions: ReadonlyMap<PaneId, Discovery>;
}

export interface TranscriptWorld extends World {
  /** Where the index keeps its disposable cache. */
  cacheFolder: string;
  accounts: readonly string[];
  /** The reports of the clients' hooks. */
  hookReports(): readonly HookReport[];
  onProgress?: (progress: Progress) => void;
}

/** What the stores say of each pane, re-keyed to where the panes are now. */
export type CachedBy = (panes: Panes) => Cached;

export async function observe(world: TranscriptWorld, cachedBy: CachedBy): Promise<Fleet> {
  // tmux answers while the transcripts are looked at; only an agent with a folder of its own needs a second look.
  const asked = observePanes(world);
  asked.catch(() => {});
  const known = await openTranscripts(world, null).refresh();
  const panes = await asked;
  const isNew = foldersOf(world, panes).length > foldersOf(world, null).length;
  const index = isNew ? await openTranscripts(world, panes).refresh() : known;
  const hooks = hooksOf(world, panes);
  const subjects = subjectsOf(world, panes, hooks, cachedBy, await lastWordsIn(world, panes));
  const sessions = discoverIn(world, panes, hooks, subjects, index);
  return { ...panes, index, hooks, models: modelSetups(world, panes.panes), sessions };
}

export interface PaneSession {
  pane: FleetPane;
  uuid: SessionId | null;
  state: SessionState;
}

/** The session of one pane, without the transcripts where these could not matter. */
export async function observeOne(
  world: TranscriptWorld,
  pick: (panes: Panes) => FleetPane,
  cachedBy: CachedBy,
): Promise<PaneSession> {
  const panes = await observePanes(world);
  const pane = pick(panes);
  const hooks = hooksOf(world, panes);
  const hook = ownHook(pane, hooks);
  const filesOf = (id: SessionId) => findSession(foldersOf(world, panes), id);
  const quick = quickLook({ live: pane.live, hook }, filesOf, panes.takenAtMs);
  if (quick !== null) return { pane, ...quick };
  const words = await lastWordsIn(world, panes);
  const subjects = subjectsOf(world, panes, hooks, cachedBy, words);
  const index = await openTranscripts(world, panes).refresh();
  const { uuid, state } = discoverIn(world, panes, hooks, subjects, index).get(pane.id)!;
  return { pane, uuid, state };
}

/** Over the folders known beforehand, and those of the agents that run. */
export function openTranscripts(world: TranscriptWorld, panes: Panes | null): TranscriptIndex {
  return openIndex({
    roots: foldersOf(world, panes),
    cacheDir: world.cacheFolder,
    parser: transcriptLines,
    ...(world.onProgress ? { onProgress: world.onProgress } : {}),
  });
}

/** The config folders that are searched. */
export function foldersOf(world: TranscriptWorld, panes: Panes | null): string[] {
  return searchedFolders(world.env, world.accounts, panes?.panes ?? []);
}

function discoverIn(
  world: TranscriptWorld,
  { panes, ...seen }: Panes,
  hooks: HookFindings,
  subjects: readonly Subject[],
  index: Index,
) {
  const paneOf = new Map(panes.map((pane) => [pane.id, pane]));
  return discoverAll(subjects, index.transcripts, seen.takenAtMs, {
    isHeldElsewhere: heldElsewhere(world, { panes, ...seen }),
    isHidden: (id) => mayHide(index.problems, id),
    fileOf: (pane, id) => transcriptOfPane(index, id, paneOf.get(pane)!, hooks.claims.get(pane) ?? null),
  });
}

/** Asked for seldom: only where a title could tell. */
function heldElsewhere(world: TranscriptWorld, panes: Panes): (id: SessionId) => boolean {
  const { processes } = world;
  const inPanes = new Set(panes.panes.flatMap(({ process }) => process?.pid ?? []));
  const isLeftOut = (pid: number) => inPanes.has(pid);
  const look = () => [...registeredHolders({ folders: foldersOf(world, panes), processes, isLeftOut })];
  let held: ReadonlySet<SessionId> | undefined;
  return (id) => {
    held ??= new Set(look().map(({ session }) => session));
    return held.has(id);
  };
}

function hooksOf(world: TranscriptWorld, { server, panes, takenAtMs }: Panes): HookFindings {
  return hookClaims(world.hookReports(), server, panes, takenAtMs);
}

function subjectsOf(
  world: TranscriptWorld,
  panes: Panes,
  hooks: HookFindings,
  cachedBy: CachedBy,
  words: LastWordsBy,
): Subject[] {
  const cached = cachedBy(panes);
  const folders = foldersOf(world, panes);
  return panes.panes.map((pane) => {
    const left = pane.dead ? leftBehind(pane, folders, hooks, words) : [];
    const saidTitle = words.get(pane.id)?.title ?? null;
    return { ...subjectOf(pane, ownHook(pane, hooks), left, cached), saidTitle };
  });
}

/** What the hooks of a client reported says nothing of a background conversation that it shows. */
function ownHook({ id, live, showsList, maybe }: FleetPane, { claims }: HookFindings): HookClaim | null {
  const showsOther = live?.job !== undefined || showsList || maybe.length > 0;
  return showsOther ? null : (claims.get(id) ?? null);
}

function subjectOf(
  pane: FleetPane,
  hook: HookClaim | null,
  left: readonly LeftBehind[],
  stored: Cached,
): Omit<Subject, "saidTitle"> {
  const cached = stored.sessions.get(pane.address) ?? null;
  const isWindow = pane.showsList || pane.maybe.length > 0;
  return {
    id: pane.id,
    address: pane.address,
    // The title of such a pane is not that of its own conversation.
    title: isWindow ? null : (pane.live?.name ?? hook?.title ?? pane.name ?? startedAs(pane)),
    cwd: pane.live?.cwd ?? (pane.cwd || pane.startPath || null),
    startedAtMs: pane.process === null ? null : (pane.live?.startedAtMs ?? pane.process.startedAtMs),
    endedAtMs: pane.deadAtMs,
    live: pane.live,
    hook,
    began: pane.arguments?.began ?? null,
    forkedFrom: pane.arguments?.forkedFrom ?? null,
    left,
    maybe: pane.maybe,
    member: pane.arguments?.member ?? null,
    cached,
    registeredAtMs: cached === null ? null : stored.registeredAtMs(pane.address),
  };
}

/** tmux blanks the title of a dead pane. */
function startedAs({ dead, startCommand }: FleetPane): string | null {
  return dead ? (endedProgram(startCommand)?.given.name ?? null) : null;
}
