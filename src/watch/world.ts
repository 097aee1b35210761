// What a turn works with: a part of the hive, so that a test can give it a fleet of its own.

import { hostname } from "node:os";
import { liveFolder } from "../agents/all.js";
import { readLock } from "../base/lock.js";
import { fateOf } from "../base/process-identity.js";
import { lookAtScreens, type SeenActivities } from "../fleet/activity-screens.js";
import type { Fleet } from "../fleet/observe.js";
import type { Hive, Voice } from "../hive.js";
import { type Drained, drain } from "../messages/drain.js";
import type { PaneAddress, TeamName } from "../names/gates.js";
import { type Repaired, repairAll } from "../reconcile/apply.js";
import { lookAt } from "../reconcile/look.js";
import { teamLockPath } from "../stores/folder.js";
import type { ForkRow } from "../stores/forks.js";
import type { Stores } from "../stores/stores.js";
import { type Saved, saveFleet } from "../teams/save.js";

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
  save(fleet: Fleet, teams: readonly TeamName[]): Promise<Saved>;
  /** Null where nothing is to be repaired. The look that comes first is this one. */
  repair(fleet: Fleet): Promise<Repaired | null>;
}

export function watchWorld(hive: Hive, voice: Voice, interrupted: AbortSignal): WatchWorld {
  const { stores, tmux, paths } = hive;
  return {
    stores,
    hostName: hostname(),
    observe: () => hive.observe(),
    screens: (fleet) => lookAtScreens(tmux, fleet.panes, fleet.hooks),
    changing: (teams) => new Set(teams.filter((team) => isHeld(teamLockPath(paths, team)))),
    folders: (fleet) => [
      ...[paths.folder, paths.queueFolder, paths.hookFolder],
      ...hive.reconcileWorld(voice).folders(fleet).map(liveFolder),
    ],
    async refresh(isWritten) {
      const { whileChanging } = hive.reconcileWorld(voice);
      const teams = stores.teams.read().rows.map(({ team }) => team);
      const work = async () => void (await hive.refresh(undefined, isWritten));
      // Always in the same order, so that two who hold several cannot wait for each other.
      await teams.sort().reduceRight((inner, team) => () => whileChanging(team, inner), work)();
    },
    drain: (pane) => drain({ tmux, stores, panes: () => hive.panes() }, pane, { interrupted }),
    save: (fleet, teams) => saveFleet(stores, fleet, { teams, isAutosave: true }),
    async repair(fleet) {
      const world = hive.reconcileWorld(voice, interrupted);
      const first = await lookAt({ ...world, observe: async () => fleet }, null);
      if (first.repairs.length === 0) return null;
      return repairAll(world, first, { only: null, dropsBroken: false });
    },
  };
}

function isHeld(path: string): boolean {
  const standing = readLock(path);
  return standing !== null && (standing.holder === null || fateOf(standing.holder) !== "dead");
}
