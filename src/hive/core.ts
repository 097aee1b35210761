// The open parts that everything in the façade shares: the stores, tmux, the live readers, the bus and the locks.

import * as processes from "../base/system/processes.js";
import * as bus from "../events/bus.js";
import type { HiveEvent } from "../events/event.js";
import type { Recorded } from "../fleet/lineage/lineage-of.js";
import {
  type Fleet,
  observe,
  observeFolder,
  observeShown,
  openTranscripts,
  type TranscriptWorld,
} from "../fleet/observe.js";
import { observePanes, type Panes } from "../fleet/panes.js";
import {
  type ChangeWorld,
  changeRoster,
  hasEdits,
  refuseEarlierVersion,
  type Work,
} from "../fleet/roster/change-roster.js";
import { handlerTable } from "../handlers.js";
import type { TeamName } from "../names/gates.js";
import type { Workspace } from "../names/workspace.js";
import { openScreen } from "../screen/screen.js";
import { storePaths } from "../stores/file/folder.js";
import { lockTeam } from "../stores/file/team-lock.js";
import { openStores, type Stores } from "../stores/stores.js";
import type { ClaimGate } from "../teams/world.js";
import { openTmux } from "../tmux/tmux.js";
import { cacheFolder } from "../transcripts/cache-folder.js";
import type { ReadingProgress } from "../transcripts/index.js";
import { openFollower } from "../viewer/follow.js";
import type { ViewerWorld } from "../viewer/world.js";
import { lateClaims } from "./late-claims.js";

export interface HiveOptions {
  env?: NodeJS.ProcessEnv;
  /** Node and the script of this command. */
  program?: readonly [string, string];
  /** Receives bad rows and failed handlers, in words for a person. */
  report?: (warning: string) => void;
  /** Loads the claims of a host that is in a fleet. Without it, such a host starts nothing. */
  claims?: (stores: Stores) => Promise<ClaimGate | null>;
  /** The first question to tmux blocks: for a command that begins with a look. */
  looksFirst?: boolean;
  /** Receives the progress of reading transcripts, if there is much to read. */
  onProgress?: (progress: ReadingProgress) => void;
}

export type Core = ReturnType<typeof openCore>;

export function openCore(options: HiveOptions) {
  const { env = process.env, program, report = () => {}, onProgress, claims, looksFirst = false } = options;
  const paths = storePaths(env);
  const stores = openStores(env, ({ path, line, why }) => report(`${path}:${line}: ${why}`));
  const tmux = openTmux({ env, waitsFirst: looksFirst });
  let ofLook = processes.forOneLook();
  const newLook = () => {
    ofLook = processes.forOneLook();
    return ofLook;
  };
  const world = (): TranscriptWorld => ({
    env,
    tmux,
    processes: newLook(),
    roster: () => stores.roster.read(),
    cacheFolder: cacheFolder(env, () => paths.folder),
    accounts: stores.accounts.read().rows,
    hookReports: () => stores.hookReports.read().reports,
    requests: () => stores.requests.read(),
    ...(onProgress ? { onProgress } : {}),
  });
  const viewerWorld: ViewerWorld = { tmux, screen: openScreen({ env }), stores, processes };
  const viewer = openFollower(viewerWorld, report);
  const handlers = handlerTable(stores, tmux, viewer);
  const busParts: bus.BusParts = { log: (events) => stores.events.log(events), handlers };

  /** Runs all handlers, then fails if one of them failed. */
  async function emitAll(events: readonly HiveEvent[]): Promise<void> {
    const failures = await bus.emitAll(busParts, events);
    for (const { store, event, error } of failures.slice(1))
      report(`${event.name}: ${store}: ${error instanceof Error ? error.message : String(error)}`);
    if (failures[0] !== undefined) throw failures[0].error;
  }

  const panes = () => observePanes(world());
  const processesSeen = () => ofLook;
  const changeWorld: ChangeWorld = { tmux, stores, processesSeen, look: panes, emitAll };
  return {
    claims: lateClaims(env, stores, claims),
    ...{ env, program, paths, stores, tmux, world, viewerWorld, viewer, changeWorld, emitAll, panes },
    /** Those of the latest look. */
    processesSeen,
    look: () => observe(world()),
    /** The look that a view of the panes needs; its index is not the whole one. */
    lookAtShown: () => observeShown(world()),
    lookAtFolder: (workspace: Workspace, { parents }: Recorded) => observeFolder(world(), workspace, parents),
    emit: (event: HiveEvent) => emitAll([event]),
    change: (work?: Work, seen?: Panes) => changeRoster(changeWorld, work, seen),
    /** The parents of sessions, from the messages they share. */
    parentsIn: (fleet: Fleet) => openTranscripts(world(), fleet).kinship(fleet.index),
  };
}

/** Locks the team, and first takes in what other programs wrote. */
export function whileChanging<T>(
  core: Core,
  team: TeamName,
  waitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  return whileLocked(core, team, waitMs, async () => {
    refuseEarlierVersion(core.paths);
    // Takes other programs' edits into the roster before a new pane gets an address in their rows.
    if (hasEdits(core.stores.roster.read())) await core.change();
    return work();
  });
}

export async function whileLocked<T>(
  { paths }: Pick<Core, "paths">,
  team: TeamName,
  waitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await lockTeam(paths, team, waitMs);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
