// What a turn works with: a part of the hive, so that a test can bring its own fleet.

import { hostname } from "node:os";
import { setTimeout as rest } from "node:timers/promises";
import { isHeld } from "../base/files/lock.js";
import { findProcess, forOneLook } from "../base/system/processes.js";
import { lookAtScreens, type SeenActivities } from "../fleet/activity/activity-screens.js";
import { lastTurnIn } from "../fleet/activity/last-turn.js";
import { reportFolders } from "../fleet/folders.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import type { Hive, Voice } from "../hive/hive.js";
import { applySizes, type SizesApplied } from "../layout/apply-sizes.js";
import { limits } from "../limits.js";
import { whyCutOff } from "../messages/cut-off.js";
import { releaseStale } from "../messages/dialog/release-stale.js";
import { type Drained, drain } from "../messages/drain.js";
import type { AgentId } from "../names/agent-id.js";
import type { TeamName } from "../names/gates.js";
import { type Repaired, repairAll } from "../reconcile/apply.js";
import { lookAt } from "../reconcile/look.js";
import { teamLockPath } from "../stores/file/folder.js";
import type { ForkRow } from "../stores/forks.js";
import type { Stores } from "../stores/stores.js";
import { type Saved, saveFleet } from "../teams/snapshot/save.js";
import { glanceAt } from "../tmux/glance.js";
import { listServer } from "../tmux/listing.js";
import { noticeEnds } from "../tmux/program.js";
import { sourceCommands } from "../tmux/source-lines.js";
import type { TmuxCommand } from "../tmux/tmux.js";
import type { CrashedAgent } from "../up/heal.js";
import type { Calm } from "./calm.js";
import { openHolder } from "./hold-requests.js";
import { labelChanges, noLabels } from "./tmux-labels.js";

export interface WatchWorld {
  stores: Stores;
  hostName: string;
  observe(): Promise<Fleet>;
  /** Whether the panes and their programs are those of an earlier look. If tmux cannot be asked, they are not. */
  isStill(calm: Calm): Promise<boolean>;
  /** The screens of agents whose activity is unclear. */
  screens(fleet: Fleet): Promise<SeenActivities>;
  /** Which of these teams a command is changing. */
  changing(teams: readonly TeamName[]): ReadonlySet<string>;
  /** The folders whose changes wake the loop. */
  folders(fleet: Fleet): readonly string[];
  /** Keeps the requests of sub-agents open for a person, and ends hooks whose request is over; null: no longer. */
  holdRequests(fleet: Fleet | null): void;
  /** Whether this host may type and start nothing now. */
  isCutOff?(): boolean;
  /** Hears of every look of the worker. */
  onLook?(fleet: Fleet, screens: SeenActivities): void;
  /** Brings the stores of all registered teams up to date. */
  refresh(isWritten: (row: ForkRow) => boolean): Promise<void>;
  drain(agent: AgentId): Promise<Drained>;
  /** Restarts a crashed agent; false if it shall not come back. */
  heal(patient: CrashedAgent): Promise<boolean>;
  save(fleet: Fleet, teams: readonly TeamName[]): Promise<Saved>;
  /** Detaches idle clients and enlarges windows to their smallest size. */
  size(): Promise<SizesApplied>;
  /** Runs the commands that write the options which tmux itself shows. */
  show(changes: readonly TmuxCommand[]): Promise<void>;
  /** Removes those options: nobody keeps them up to date any more. */
  hide(): Promise<void>;
  /** Null if there is nothing to repair. The first look is `fleet`. */
  repair(fleet: Fleet): Promise<Repaired | null>;
}

export function watchWorld(hive: Hive, voice: Voice, interrupted: AbortSignal): WatchWorld {
  const { stores, tmux, paths } = hive;
  const holder = openHolder(stores);
  return {
    stores,
    hostName: hostname(),
    async observe() {
      const fleet = await hive.observe();
      if (!fleet.panes.some(isUnnoticed)) return fleet;
      await noticeEnds(tmux);
      await rest(limits.startPollMs);
      return hive.observe();
    },
    async isStill({ places, pids }) {
      const seen = await glanceAt(tmux, null).catch(() => null);
      const { findProcess } = forOneLook();
      return seen?.places === places && pids.every((pid) => findProcess(pid) !== null);
    },
    screens: (fleet) => lookAtScreens(tmux, fleet.panes, fleet.hooks, (pane) => lastTurnIn(fleet, pane)),
    changing: (teams) => new Set(teams.filter((team) => isHeld(teamLockPath(paths, team)))),
    folders: (fleet) => [
      ...[paths.folder, paths.queueFolder, paths.hookFolder, paths.requestFolder],
      ...reportFolders(hive.reconcileWorld(voice).folders(fleet)),
    ],
    holdRequests(fleet) {
      if (fleet === null) return holder.letGo();
      releaseStale(stores, fleet, forOneLook());
      holder.update(fleet);
    },
    isCutOff: () => whyCutOff(hive) !== null,
    async refresh(isWritten) {
      await hive.refreshAll({ isWritten, waitMs: limits.repairLockMs });
    },
    drain: (agent) => drain(hive, agent, { interrupted }),
    async heal(patient) {
      const { healAgent } = await import("../up/heal.js");
      const world = hive.teamWorld(voice, interrupted);
      const { whileChanging } = hive;
      return (await healAgent({ world, whileChanging }, patient)) !== null;
    },
    save: (fleet, teams) => saveFleet(stores, fleet, { teams, isAutosave: true }),
    size: () => applySizes(hive),
    async show(changes) {
      // A pane that has closed since the look needs no label.
      await sourceCommands(tmux, changes);
    },
    async hide() {
      const changes = labelChanges(await listServer(tmux), noLabels, { nowMs: 0, forMs: 0 });
      if (changes.length > 0) await sourceCommands(tmux, changes);
    },
    async repair(fleet) {
      const world = hive.reconcileWorld(voice, interrupted);
      const first = await lookAt({ ...world, observe: async () => fleet }, null);
      if (first.repairs.length === 0) return null;
      return repairAll(world, first, { only: null, dropsBroken: false });
    },
  };
}

/** The agent has ended, and tmux has not noticed yet. */
function isUnnoticed({ dead, process, agent, pid }: FleetPane): boolean {
  return !dead && process === null && agent !== null && findProcess(pid) === null;
}
