// What a turn works with: a part of the hive, so that a test can give it a fleet of its own.

import { hostname } from "node:os";
import { setTimeout as rest } from "node:timers/promises";
import { liveFolder } from "../agents/all.js";
import { readLock } from "../base/lock.js";
import { fateOf } from "../base/process-identity.js";
import { lookAtScreens, type SeenActivities } from "../fleet/activity-screens.js";
import { lastTurnIn } from "../fleet/last-turn.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import type { Hive, Voice } from "../hive.js";
import { applySizes, type SizesApplied } from "../layout/apply-sizes.js";
import { limits } from "../limits.js";
import { type Drained, drain } from "../messages/drain.js";
import type { PaneAddress, Role, TeamName } from "../names/gates.js";
import { findProcess } from "../processes/processes.js";
import { type Repaired, repairAll } from "../reconcile/apply.js";
import { lookAt } from "../reconcile/look.js";
import { teamLockPath } from "../stores/folder.js";
import type { ForkRow } from "../stores/forks.js";
import type { Stores } from "../stores/stores.js";
import { type Saved, saveFleet } from "../teams/save.js";
import { noticeEnds } from "../tmux/program.js";

export interface WatchWorld {
  stores: Stores;
  hostName: string;
  observe(): Promise<Fleet>;
  /** Those that leave something open. */
  screens(fleet: Fleet): Promise<SeenActivities>;
  /** Which of these teams a command is changing. */
  changing(teams: readonly TeamName[]): ReadonlySet<string>;
  /** Where a change matters. */
  folders(fleet: Fleet): readonly string[];
  /** The stores of all registered teams follow what is live. */
  refresh(isWritten: (row: ForkRow) => boolean): Promise<void>;
  drain(pane: PaneAddress): Promise<Drained>;
  /** Whether a crashed agent is back; false where it is not to come back. */
  heal(project: string, agent: Role): Promise<boolean>;
  save(fleet: Fleet, teams: readonly TeamName[]): Promise<Saved>;
  /** Clients that nobody sits at go, and windows grow to their floors. */
  size(): Promise<SizesApplied>;
  /** Null where nothing is to be repaired. The look that comes first is this one. */
  repair(fleet: Fleet): Promise<Repaired | null>;
}

export function watchWorld(hive: Hive, voice: Voice, interrupted: AbortSignal): WatchWorld {
  const { stores, tmux, paths } = hive;
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
    screens: (fleet) => lookAtScreens(tmux, fleet.panes, fleet.hooks, (pane) => lastTurnIn(fleet, pane)),
    changing: (teams) => new Set(teams.filter((team) => isHeld(teamLockPath(paths, team)))),
    folders: (fleet) => [
      ...[paths.folder, paths.queueFolder, paths.hookFolder],
      ...hive.reconcileWorld(voice).folders(fleet).map(liveFolder),
    ],
    async refresh(isWritten) {
      await hive.refreshAll({ isWritten, waitMs: limits.repairLockMs });
    },
    drain: (pane) => drain({ tmux, stores, panes: () => hive.panes() }, pane, { interrupted }),
    async heal(project, agent) {
      const { healAgent } = await import("../up/heal.js");
      const world = hive.teamWorld(voice, interrupted);
      const { whileChanging } = hive;
      return (await healAgent({ world, whileChanging }, project, agent)) !== null;
    },
    save: (fleet, teams) => saveFleet(stores, fleet, { teams, isAutosave: true }),
    size: () => applySizes(hive),
    async repair(fleet) {
      const world = hive.reconcileWorld(voice, interrupted);
      const first = await lookAt({ ...world, observe: async () => fleet }, null);
      if (first.repairs.length === 0) return null;
      return repairAll(world, first, { only: null, dropsBroken: false });
    },
  };
}

/** An agent that was started from a team file has ended, and tmux does not know it yet. */
function isUnnoticed({ dead, process, launch, pid }: FleetPane): boolean {
  return !dead && process === null && launch !== "" && findProcess(pid) === null;
}

function isHeld(path: string): boolean {
  const standing = readLock(path);
  return standing !== null && (standing.holder === null || fateOf(standing.holder) !== "dead");
}
