// The façade every face talks to: opens the worlds, the stores and the bus.

import { hostname } from "node:os";
import { HiveError } from "./base/errors.js";
import { acquireLock, holderName, LockedError } from "./base/lock.js";
import { type Bus, type HandlerTable, openBus } from "./events/bus.js";
import type { HiveEvent } from "./events/event.js";
import { lookAtScreens } from "./fleet/activity-screens.js";
import { type BackgroundView, viewBackground } from "./fleet/background-view.js";
import { cachedIn, recordedParents } from "./fleet/cached.js";
import { type CallingAgent, callingAgent } from "./fleet/caller.js";
import { windowsOf } from "./fleet/context.js";
import { paneNamed } from "./fleet/find-pane.js";
import { standardFolder } from "./fleet/folders.js";
import { homesNow, keptSince } from "./fleet/homes.js";
import { lastTurnIn } from "./fleet/last-turn.js";
import { relativesOf } from "./fleet/lineage-of.js";
import { managedInPanes } from "./fleet/managed-list.js";
import { keyedRows, planMoves, refuseHeld, storedRows, teamsConcerned } from "./fleet/moves.js";
import {
  type Fleet,
  foldersOf,
  observe,
  observeOne,
  openTranscripts,
  type PaneSession,
  type TranscriptWorld,
} from "./fleet/observe.js";
import { ownPane } from "./fleet/own-pane.js";
import { type FleetPane, observePanes, type Panes } from "./fleet/panes.js";
import { planRefresh, type RefreshPlan, type RefreshStored } from "./fleet/refresh.js";
import { teamsWithNews } from "./fleet/session-news.js";
import { type TeamView, viewTeams } from "./fleet/view.js";
import { finishFollowing, handlerTable } from "./handlers.js";
import { limits } from "./limits.js";
import type { SessionId, TeamName } from "./names/gates.js";
import * as processes from "./processes/processes.js";
import type { ReconcileWorld } from "./reconcile/world.js";
import { openScreen } from "./screen/screen.js";
import { storeError } from "./stores/error.js";
import { type StorePaths, storePaths, teamLockPath } from "./stores/folder.js";
import type { ForkRow } from "./stores/forks.js";
import { waitingAt } from "./stores/queue-homes.js";
import { needRoom } from "./stores/room.js";
import { rowWriter } from "./stores/row-writer.js";
import { openStores, type Stores } from "./stores/stores.js";
import type { TeamWorld } from "./teams/world.js";
import { renameSession } from "./tmux/session.js";
import { openTmux, type Tmux } from "./tmux/tmux.js";
import { cacheFolder } from "./transcripts/cache-folder.js";
import type { Kin } from "./transcripts/kin.js";
import type { Progress } from "./transcripts/scan-all.js";
import { openFollower } from "./viewer/follow.js";
import type { ViewerWorld } from "./viewer/world.js";

export interface HiveOptions {
  env?: NodeJS.ProcessEnv;
  /** Hears of bad rows and failed handlers, in words for a person. */
  report?: (warning: string) => void;
  /** Hears how far the reading of transcripts is, when there is much to read. */
  onProgress?: (progress: Progress) => void;
}

export interface Hive {
  paths: StorePaths;
  stores: Stores;
  tmux: Tmux;
  /** The panes and what runs in them, without a look at the transcripts. */
  panes(): Promise<Panes>;
  /** The fleet as it is now: panes, transcripts, and which session is where. */
  observe(): Promise<Fleet>;
  /** The session of one pane, named as a person would. Quicker than `observe`, with the same answer. */
  sessionIn(typed: string): Promise<PaneSession>;
  /** Who came from whom, by the messages that sessions share. */
  kinship(fleet: Fleet): Promise<ReadonlyMap<SessionId, Kin>>;
  /** The fleet joined with the stores. Screens are looked at where something is left open, or all that agents run in. */
  viewTeams(screens?: "open" | "all"): Promise<TeamView[]>;
  /** The same, with the conversations that run without a pane. */
  viewFleet(screens?: "open" | "all"): Promise<FleetView>;
  /** The pane this process sits in; null outside, whatever the environment says. */
  ownPane(panes: Panes): FleetPane | null;
  /** The agent whose tool this process is; null for a person. */
  caller(panes: Panes): CallingAgent | null;
  /** The pane of this address, id or role. */
  paneNamed(panes: Panes, typed: string, team?: TeamName): FleetPane;
  /**
   * The stores of this team follow what is live: what was done and what is left to a person. Called inside
   * `whileChanging`.
   */
  refresh(team: TeamName): Promise<RefreshPlan>;
  /**
   * The same of every registered team; those concerned are kept from others meanwhile. Rows of S5 that are written
   * already are left out.
   */
  refreshAll(options?: { isWritten?: (row: ForkRow) => boolean; waitMs?: number }): Promise<RefreshPlan>;
  /**
   * Rows stand where their panes are now; before anything is written by address. Refused where that cannot be. Called
   * inside `whileChanging`.
   */
  followMoves(team: TeamName): Promise<Panes>;
  /** The registered teams of which a client says that it is in another session than its row has. */
  newsIn(panes: Panes): TeamName[];
  /** Logs what happened and brings the stores up to date; fails after all handlers ran, if one of them did. */
  emit(event: HiveEvent): Promise<void>;
  /** Keeps other commands from changing this team meanwhile; one that does is named. */
  whileChanging<T>(team: TeamName, work: () => Promise<T>): Promise<T>;
  renameTmuxSession(team: TeamName, renamed: TeamName): Promise<void>;
  /** What the lifecycle of teams works with, for one command. */
  teamWorld(voice: Voice, interrupted?: AbortSignal): TeamWorld;
  /** What audits and repairs work with, for one command. */
  reconcileWorld(voice: Voice, interrupted?: AbortSignal): ReconcileWorld;
  /** What the viewer works with. */
  viewerWorld: ViewerWorld;
}

export interface FleetView {
  teams: TeamView[];
  background: BackgroundView[];
}

/** How long work speaks to a person. */
export interface Voice {
  /** One line that is drawn over itself; null takes it away. */
  progress(line: string | null): void;
  /** One line that stays. */
  note(line: string): void;
}

export function openHive({ env = process.env, report = () => {}, onProgress }: HiveOptions = {}): Hive {
  const paths = storePaths(env);
  const stores = openStores(env, ({ path, line, why }) => report(`${path}:${line}: ${why}`));
  const tmux = openTmux({ env });
  const world = (): TranscriptWorld => ({
    env,
    tmux,
    processes,
    storedKeys: () => keyedRows(stores),
    cacheFolder: cacheFolder(env, () => paths.folder),
    accounts: stores.accounts.read().rows.map(({ folder }) => folder),
    hookReports: () => stores.hookReports.read().reports,
    ...(onProgress ? { onProgress } : {}),
  });
  const cachedBy = (panes: Panes) => cachedIn(stores, panes);
  const look = () => observe(world(), cachedBy);
  const viewerWorld: ViewerWorld = { tmux, screen: openScreen({ env }), stores, processes };
  const viewer = openFollower(viewerWorld, report);
  const handlers = handlerTable(stores, tmux, viewer);
  const rows = rowWriter(stores);
  const log = (events: readonly HiveEvent[]) => stores.events.log(events);
  const bus = openBus({ log, handlers });
  // A refresh writes one row of S5 for every agent pane: its events shall not write the same again.
  const refreshBus = openBus({ log, handlers: without(handlers, "S5") });

  const emitOn = (bus: Bus, event: HiveEvent) => emitAllOn(bus, [event]);

  async function emitAllOn(bus: Bus, events: readonly HiveEvent[]): Promise<void> {
    const failures = await bus.emitAll(events);
    for (const { store, event, error } of failures.slice(1))
      report(`${event.name}: ${store}: ${messageOf(error)}`);
    if (failures[0] !== undefined) throw failures[0].error;
  }

  const ownPaneIn = (panes: Panes) => ownPane(panes, { env, pid: process.pid }, processes);
  const named = (panes: Panes, typed: string, team?: TeamName) =>
    paneNamed(panes, typed, {
      ...storedRows(stores),
      own: ownPaneIn(panes),
      ...(team === undefined ? {} : { team }),
    });

  const bringHome = (seen: Panes) => rows.bringHome(homesNow(seen, storedRows(stores)));

  const kinshipOf = (fleet: Fleet) => openTranscripts(world(), fleet).kinship(fleet.index);

  async function refresh(asked: TeamName | readonly TeamName[], isWritten: (row: ForkRow) => boolean) {
    const fleet = await look();
    const held = new Set([...fleet.sessions.values()].flatMap(({ uuid }) => uuid ?? []));
    const kinship = await kinshipOf(relativesOf(fleet, held));
    const isOne = typeof asked === "string";
    const rowsKept = keyedRows(stores);
    const teams = isOne ? rowsKept.teams : rowsKept.teams.filter(({ team }) => asked.includes(team));
    const isRecorded: RefreshStored["isRecorded"] = (at, pane, uuid) =>
      [...stores.forks.scan({ pane, uuid })].some((row) => row.at === at);
    const plan = planRefresh(
      fleet,
      { ...rowsKept, teams, recordedParent: recordedParents(stores), isRecorded, kinship },
      { nowMs: Date.now(), hostName: hostname(), ...(isOne ? { team: asked } : {}) },
    );
    // Before S2, which would let nobody ask again where these came from.
    await stores.forks.append(plan.forkRows.filter((row) => !isWritten(row)));
    await emitAllOn(refreshBus, plan.events);
    await bringHome(fleet);
    await rememberFolders(stores, fleet, standardFolder(env));
    stores.hookReports.sweep(plan.usedUp);
    return plan;
  }

  /** Locks always in the same order, so that two who hold several cannot wait for each other. */
  async function refreshAll(isWritten: (row: ForkRow) => boolean, waitMs: number): Promise<RefreshPlan> {
    const registered = stores.teams.read().rows.map(({ team }) => team);
    const teams = teamsConcerned(await observePanes(world()), registered).sort();
    const work = () => refresh(teams, isWritten);
    return teams.reduceRight((inner, team) => () => whileChanging(team, waitMs, inner), work)();
  }

  const newsIn = (panes: Panes) =>
    teamsWithNews(panes, { sessions: stores.sessions.read().rows, teams: stores.teams.read().rows });

  async function followMoves(team: TeamName): Promise<Panes> {
    const panes = await observePanes(world());
    refuseHeld(panes, team);
    await emitAllOn(bus, planMoves(panes, keyedRows(stores), team).events);
    await bringHome(panes);
    // A session that nobody wrote down would be lost with its agent.
    if (newsIn(panes).includes(team)) await refresh(team, () => false);
    return panes;
  }

  async function whileChanging<T>(team: TeamName, waitMs: number, work: () => Promise<T>): Promise<T> {
    const lock = await lockTeam(teamLockPath(paths, team), team, waitMs);
    try {
      await finishFollowing(stores, tmux);
      return await work();
    } finally {
      lock.release();
    }
  }

  async function viewFleet(screens?: "open" | "all"): Promise<FleetView> {
    const fleet = await look();
    const turnOf = (pane: FleetPane) => lastTurnIn(fleet, pane);
    const seen = await lookAtScreens(tmux, fleet.panes, fleet.hooks, turnOf, screens);
    const keyed = keyedRows(stores);
    const kept = keptSince(fleet, keyed);
    const stored = {
      ...keyed,
      activeTeam: stores.activeTeam.read(),
      queued: waitingAt(stores, { ...fleet, kept }, fleet.shifts.moved).forPanes,
      windows: windowsOf(env),
      managed: managedInPanes(fleet, env),
    };
    return { teams: viewTeams(fleet, stored, seen), background: viewBackground(fleet, stored.windows) };
  }

  return {
    paths,
    stores,
    tmux,
    panes: () => observePanes(world()),
    observe: look,
    sessionIn: (typed) => observeOne(world(), (panes) => named(panes, typed), cachedBy),
    kinship: kinshipOf,
    viewTeams: async (screens) => (await viewFleet(screens)).teams,
    viewFleet,
    ownPane: ownPaneIn,
    caller: (panes) => callingAgent(panes, process.pid, processes),
    paneNamed: named,
    refresh: (team) => refresh(team, () => false),
    refreshAll: ({ isWritten = () => false, waitMs = limits.lockWaitMs } = {}) =>
      refreshAll(isWritten, waitMs),
    followMoves,
    newsIn,
    emit: (event) => emitOn(bus, event),
    whileChanging: (team, work) =>
      whileChanging(team, limits.lockWaitMs, () => {
        needRoom(paths);
        return work();
      }),
    renameTmuxSession: (team, renamed) => renameSession(tmux, team, renamed),
    teamWorld({ progress, note }, interrupted = new AbortController().signal) {
      // A fork is written down before it starts; the refresh behind it shall not write the same again.
      const forked = new Map<string, SessionId>();
      return {
        env,
        tmux,
        stores,
        observe: look,
        panes: () => observePanes(world()),
        followMoves,
        async emit(event) {
          await emitOn(bus, event);
          if (event.name === "agent.forked") forked.set(event.pane, event.child);
        },
        refresh: (team) =>
          refresh(team, ({ pane, uuid }) => uuid !== null && forked.get(pane ?? "") === uuid),
        progress,
        say: note,
        interrupted,
      };
    },
    viewerWorld,
    reconcileWorld({ progress, note }, interrupted = new AbortController().signal) {
      return {
        stores,
        hostName: hostname(),
        observe: look,
        folders: (fleet) => foldersOf(world(), fleet),
        rememberFolders: (fleet) => rememberFolders(stores, fleet, standardFolder(env)),
        recordedParent: recordedParents(stores),
        emit: (event) => emitOn(bus, event),
        follow: (events) => emitAllOn(refreshBus, events),
        bringHome,
        viewerDifferences: () => viewer.differences(),
        removeWindow: (team) => viewer.removed(team),
        whileChanging: (team, work) => whileChanging(team, limits.repairLockMs, work),
        say: note,
        progress,
        interrupted,
      };
    },
  };
}

/**
 * Folders that agents were seen to use are searched for transcripts from then on, also by who has another
 * CLAUDE_CONFIG_DIR than they: to that one their conversations would look gone.
 */
async function rememberFolders(
  { accounts }: Stores,
  { panes }: Panes,
  standard: string | null,
): Promise<void> {
  const used = new Set(panes.flatMap(({ folder }) => folder ?? []));
  if (standard !== null) used.delete(standard);
  for (const { folder } of accounts.read().rows) used.delete(folder);
  if (used.size > 0) await accounts.update((rows) => [...rows, ...[...used].map((folder) => ({ folder }))]);
}

function without(handlers: HandlerTable, store: string): HandlerTable {
  const kept = Object.entries(handlers).map(([name, each]) => [
    name,
    each.filter((handler) => handler.store !== store),
  ]);
  return Object.fromEntries(kept);
}

async function lockTeam(path: string, team: TeamName, waitMs: number) {
  try {
    return await acquireLock(path, { waitMs });
  } catch (error) {
    if (!(error instanceof LockedError)) throw storeError(path, error);
    throw new HiveError(`${team} is being changed by ${holderName(error.holder)}`, {
      hint: error.hint ?? "try again in a moment",
    });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
