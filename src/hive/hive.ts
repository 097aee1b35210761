// The façade that every interface uses: opens tmux, processes, transcripts, the stores and the bus.

import { type CallingAgent, callingAgent, type Decider, ownPane, whoDecides } from "../fleet/caller.js";
import { paneNamed } from "../fleet/find-pane.js";
import type { Recorded } from "../fleet/lineage/lineage-of.js";
import { type Fleet, type FolderLook, observeOne, type PaneSession } from "../fleet/observe.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { placesWithNews } from "../fleet/roster/refresh.js";
import type { TeamView } from "../fleet/view.js";
import { limits } from "../limits.js";
import type { SessionId, TeamName } from "../names/gates.js";
import type { Workspace } from "../names/workspace.js";
import type { ReconcileWorld } from "../reconcile/world.js";
import type { StorePaths } from "../stores/file/folder.js";
import { needRoom } from "../stores/file/free-space.js";
import type { ForkRow } from "../stores/forks.js";
import type { TeamWorld } from "../teams/world.js";
import { renameSession } from "../tmux/session.js";
import type { MessageParent } from "../transcripts/lineage/parent-by-messages.js";
import type { ViewerWorld } from "../viewer/world.js";
import { type Attention, type Overview, overview } from "./attention.js";
import { type HiveOptions, openCore, whileChanging } from "./core.js";
import { type RefreshDone, refresh, refreshAll } from "./refresh.js";
import { type FleetView, viewFleet } from "./view-fleet.js";
import { reconcileWorldOf, teamWorldOf, type Voice } from "./worlds.js";

export type { Attention, HiveOptions, RefreshDone, Voice };

export interface Hive
  extends Pick<TeamWorld, "env" | "tmux" | "stores" | "observe" | "panes" | "change" | "emit"> {
  paths: StorePaths;
  /** For a list of one workspace: faster than `observe`, with the same list. */
  observeFolder(workspace: Workspace, recorded: Recorded): Promise<FolderLook>;
  /** The session of one pane, named as a person would. Faster than `observe`, with the same answer. */
  sessionIn(typed: string): Promise<PaneSession>;
  /** The parents of sessions, from the messages they share. */
  parentsByMessages(fleet: Fleet): Promise<ReadonlyMap<SessionId, MessageParent>>;
  /** The fleet joined with the stores. Captures the screens that are needed, or those of all agents. */
  viewTeams(screens?: "open" | "all"): Promise<TeamView[]>;
  /** The same, with the conversations that have no pane. */
  viewFleet(screens?: "open" | "all"): Promise<FleetView>;
  /** Everything that waits for a person. */
  attention(): Promise<Attention[]>;
  /** The fleet and that list, from one look. */
  overview(): Promise<Overview>;
  /** The pane of this process; null outside tmux, whatever the environment says. */
  ownPane(panes: Panes): FleetPane | null;
  /** The agent that runs this process as its tool; null for a person. */
  caller(panes: Panes): CallingAgent | null;
  /** Who runs this process, for a command that only a person may run. */
  decider(panes: Panes): Decider;
  /** The pane with this address, id or role. */
  paneNamed(panes: Panes, typed: string, team?: TeamName): FleetPane;
  /**
   * Updates the stores of this team from what is live. Returns what was done and what is left to a person. Call it
   * inside `whileChanging`.
   */
  refresh(team: TeamName): Promise<RefreshDone>;
  /**
   * The same for every registered team, with the affected teams locked. Rows of the forks file that are already
   * written are left out.
   */
  refreshAll(options?: { isWritten?: (row: ForkRow) => boolean; waitMs?: number }): Promise<RefreshDone>;
  /**
   * Writes sessions to the stores that only the clients have reported so far, in this team or in all registered
   * ones. Returns whether there were any.
   */
  writeNews(panes: Panes, team?: string): Promise<boolean>;
  /** Locks this team against other commands. If one holds it, the error names that command. */
  whileChanging<T>(team: TeamName, work: () => Promise<T>): Promise<T>;
  renameTmuxSession(team: TeamName, renamed: TeamName): Promise<void>;
  /** The dependencies of team commands, for one command. */
  teamWorld(voice: Voice, interrupted?: AbortSignal): TeamWorld;
  /** The dependencies of audits and repairs, for one command. */
  reconcileWorld(voice: Voice, interrupted?: AbortSignal): ReconcileWorld;
  /** The dependencies of the viewer. */
  viewerWorld: ViewerWorld;
}

export function openHive(options: HiveOptions = {}): Hive {
  const core = openCore(options);
  const { env, paths, stores, tmux, panes, look, change, emit, viewerWorld } = core;
  const ownPaneIn = (seen: Panes) => ownPane(seen, { env, pid: process.pid }, core.processesSeen());
  const named = (seen: Panes, typed: string, team?: TeamName) =>
    paneNamed(seen, typed, { own: ownPaneIn(seen), team });
  return {
    ...{ env, paths, stores, tmux, panes, change, emit, viewerWorld },
    observe: look,
    observeFolder: core.lookAtFolder,
    sessionIn: (typed) => observeOne(core.world(), typed, (seen) => named(seen, typed)),
    parentsByMessages: core.parentsIn,
    viewTeams: async (screens) => (await viewFleet(core, screens)).teams,
    viewFleet: (screens) => viewFleet(core, screens),
    attention: async () => (await overview(core)).attention,
    overview: () => overview(core),
    ownPane: ownPaneIn,
    caller: (seen) => callingAgent(seen, process.pid, core.processesSeen()),
    decider: (seen) => whoDecides(seen, process.pid, core.processesSeen()),
    paneNamed: named,
    refresh: (team) => refresh(core, team, () => false),
    refreshAll: ({ isWritten = () => false, waitMs = limits.lockWaitMs } = {}) =>
      refreshAll(core, isWritten, waitMs),
    async writeNews(seen, only) {
      const places = placesWithNews(seen).filter((name) => only === undefined || name === only);
      const teams = stores.teams.read().rows.flatMap(({ team }) => (places.includes(team) ? [team] : []));
      for (const team of teams)
        await whileChanging(core, team, limits.lockWaitMs, () => refresh(core, team, () => false));
      if (teams.length < places.length) await refresh(core, [], () => false);
      return places.length > 0;
    },
    whileChanging: (team, work) =>
      whileChanging(core, team, limits.lockWaitMs, () => {
        needRoom(paths);
        return work();
      }),
    renameTmuxSession: (team, renamed) => renameSession(tmux, team, renamed),
    teamWorld: (voice, interrupted) => teamWorldOf(core, voice, interrupted),
    reconcileWorld: (voice, interrupted) => reconcileWorldOf(core, voice, interrupted),
  };
}
