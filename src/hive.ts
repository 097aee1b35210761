// The façade every face talks to: opens the worlds, the stores and the bus.

import { join } from "node:path";
import { HiveError } from "./base/errors.js";
import { acquireLock, LockedError } from "./base/lock.js";
import { openBus } from "./events/bus.js";
import type { HiveEvent } from "./events/event.js";
import { windowsOf } from "./fleet/context.js";
import { type Fleet, observe, openTranscripts, type TranscriptWorld } from "./fleet/observe.js";
import { observePanes, type Panes } from "./fleet/panes.js";
import { type TeamView, viewTeams } from "./fleet/view.js";
import { handlerTable } from "./handlers.js";
import type { TeamName } from "./names/gates.js";
import * as processes from "./processes/processes.js";
import { type StorePaths, storePaths, teamLockPath } from "./stores/folder.js";
import { rekeyRows } from "./stores/rekey.js";
import { openStores, type Stores } from "./stores/stores.js";
import { renameSession } from "./tmux/session.js";
import { openTmux, type Tmux } from "./tmux/tmux.js";
import type { Chain, Transcript } from "./transcripts/transcript.js";

export interface HiveOptions {
  env?: NodeJS.ProcessEnv;
  /** Hears of bad rows and failed handlers, in words for a person. */
  report?: (warning: string) => void;
  /** Hears how far the reading of transcripts is, when there is much to read. */
  onProgress?: (progress: { doneBytes: number; totalBytes: number }) => void;
}

export interface Hive {
  paths: StorePaths;
  stores: Stores;
  tmux: Tmux;
  /** The panes and what runs in them, without a look at the transcripts. */
  panes(): Promise<Panes>;
  /** The fleet as it is now: panes, transcripts, and which session is where. */
  observe(): Promise<Fleet>;
  /** The messages of sessions that share a beginning with another: what lineage is read from. */
  chains(fleet: Fleet): Promise<ReadonlyMap<Transcript, Chain>>;
  /** The fleet joined with the stores. */
  viewTeams(): Promise<TeamView[]>;
  /** Logs what happened and brings the stores up to date; fails after all handlers ran, if one of them did. */
  emit(event: HiveEvent): Promise<void>;
  /** Keeps other commands from changing this team meanwhile; one that does is named. */
  whileChanging<T>(team: TeamName, work: () => Promise<T>): Promise<T>;
  renameTmuxSession(team: TeamName, renamed: TeamName): Promise<void>;
}

export function openHive({ env = process.env, report = () => {}, onProgress }: HiveOptions = {}): Hive {
  const paths = storePaths(env);
  const stores = openStores(env, ({ path, line, why }) => report(`${path}:${line}: ${why}`));
  const tmux = openTmux({ env });
  const world = (): TranscriptWorld => ({
    env,
    tmux,
    processes,
    cacheFolder: cacheFolder(env, paths),
    accounts: stores.accounts.read().rows.map(({ folder }) => folder),
    ...(onProgress ? { onProgress } : {}),
  });
  const look = () =>
    observe(world(), ({ shifts }) => {
      const rows = rekeyRows(stores.sessions.read().rows, shifts.moved);
      return new Map(rows.map(({ pane, uuid }) => [pane, uuid]));
    });
  const bus = openBus({ log: (event) => stores.events.log(event), handlers: handlerTable(stores, tmux) });

  return {
    paths,
    stores,
    tmux,
    panes: () => observePanes(world()),
    observe: look,
    chains: (fleet) => openTranscripts(world(), fleet).chains(fleet.index.transcripts),
    async viewTeams() {
      return viewTeams(await look(), {
        roles: stores.roles.read().rows,
        sessions: stores.sessions.read().rows,
        teams: stores.teams.read().rows,
        activeTeam: stores.activeTeam.read(),
        queued: new Map(
          stores.queues.panes().map((pane) => [pane, stores.queues.read(pane).messages.length]),
        ),
        windows: windowsOf(env),
      });
    },
    async emit(event) {
      const failures = await bus.emit(event);
      for (const { store, error } of failures.slice(1))
        report(`${event.name}: ${store}: ${messageOf(error)}`);
      if (failures[0] !== undefined) throw failures[0].error;
    },
    async whileChanging(team, work) {
      const lock = await lockTeam(teamLockPath(paths, team), team);
      try {
        return await work();
      } finally {
        lock.release();
      }
    },
    renameTmuxSession: (team, renamed) => renameSession(tmux, team, renamed),
  };
}

/** Disposable, and not a store: it may be removed at any time. */
function cacheFolder(env: NodeJS.ProcessEnv, { folder }: StorePaths): string {
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, "hivemind");
  return env.HOME ? join(env.HOME, ".cache", "hivemind") : join(folder, "cache");
}

async function lockTeam(path: string, team: TeamName) {
  try {
    return await acquireLock(path);
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    const who = error.holder === null ? "something else" : `process ${error.holder.pid}`;
    throw new HiveError(`${team} is being changed by ${who}`, {
      hint: error.hint ?? "try again in a moment",
    });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
