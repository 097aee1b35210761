// Where everything that is persisted lies.
//
// [FO1] Every file has its override; without one it lies in $HIVEMIND_CONFIG_DIR, else in $HOME/config.
// [FO2] Without either the answer is an error, never a guess.
// [FO3] An override is an absolute path: a relative one would mean other files in every folder it is used from.

import { isAbsolute, join } from "node:path";
import { HiveError, UsageError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { type TeamName, teamName } from "../names/gates.js";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface StorePaths {
  folder: string;
  roles: string;
  sessions: string;
  teams: string;
  snapshotFolder: string;
  forks: string;
  queueFolder: string;
  deadQueueFolder: string;
  activeTeam: string;
  viewerWindows: string;
  sizeLocks: string;
  layoutFolder: string;
  events: string;
  receipts: string;
  holds: string;
  projects: string;
  moved: string;
  accounts: string;
  hookFolder: string;
  taskFolder: string;
  trashFolder: string;
  keptFolder: string;
  pulledFolder: string;
  rekeyFolder: string;
  /** The files of demo agents that have no other config folder. */
  demoFolder: string;
}

export function storePaths(env: Environment): StorePaths {
  const folder = configFolder(env);
  const at = (variable: string, name: string) => override(env, variable) ?? join(folder, name);
  const queueFolder = at("HIVEMIND_QUEUE_DIR", "hivemind.queue");
  return {
    folder,
    roles: at("HIVEMIND_REGISTRY", "hivemind.roles.env"),
    sessions: at("HIVEMIND_SESSIONS", "hivemind.sessions.env"),
    teams: at("HIVEMIND_TEAMS", "hivemind.teams.env"),
    snapshotFolder: override(env, "HIVEMIND_SNAPSHOT_DIR") ?? folder,
    forks: at("HIVEMIND_FORKS", "hivemind.forks.env"),
    queueFolder,
    deadQueueFolder: join(queueFolder, "dead"),
    activeTeam: at("HIVEMIND_ACTIVE_TEAM", "hivemind.active.team"),
    viewerWindows: at("TRON_MONITOR_ENV", "tronMonitor.env"),
    sizeLocks: at("OTMUX_SIZE_LOCKS", "otmux.size.locks.env"),
    layoutFolder: at("OTMUX_LAYOUT_DIR", "otmux"),
    events: at("HIVEMIND_EVENTS", "hivemind.events.log"),
    receipts: join(folder, "hivemind.receipts.log"),
    holds: join(folder, "hivemind.state.env"),
    projects: join(folder, "hivemind.projects.env"),
    moved: join(folder, "hivemind.moved.env"),
    accounts: join(folder, "hivemind.accounts.env"),
    hookFolder: join(folder, "hivemind.hooks"),
    taskFolder: join(folder, "hivemind.tasks"),
    trashFolder: join(folder, "hivemind.trash"),
    keptFolder: join(folder, "hivemind.kept"),
    pulledFolder: join(folder, "hivemind.pulled"),
    rekeyFolder: join(folder, "hivemind.rekey"),
    demoFolder: join(folder, "hivemind.demo"),
  };
}

/** Held while a command changes a team; for `acquireLock`. */
export function teamLockPath({ folder }: StorePaths, team: TeamName): string {
  return join(folder, `hivemind.lock.${teamName(team)}`);
}

/** Held by the one loop that watches over these stores; for `acquireLock`. */
export function watchLockPath({ folder }: StorePaths): string {
  return join(folder, "hivemind.watch.lock");
}

/** Held while the viewer's windows are changed, and for the moment in which it is asked; for `acquireLock`. */
export function viewerLockPath({ folder }: StorePaths, what: "changed" | "asked"): string {
  return join(folder, `hivemind.viewer.${what}.lock`);
}

function configFolder(env: Environment): string {
  const given = override(env, "HIVEMIND_CONFIG_DIR");
  if (given !== undefined) return given;
  const home = override(env, "HOME");
  if (home !== undefined) return join(home, "config");
  throw new HiveError("HOME is not set, so there is no telling where the stores are", {
    hint: "set HOME, or HIVEMIND_CONFIG_DIR to the folder that holds them",
  });
}

/** An empty variable counts as one that is not set. */
function override(env: Environment, variable: string): string | undefined {
  const value = env[variable];
  if (value === undefined || value === "") return undefined;
  if (isAbsolute(value) && !value.includes("\0")) return value;
  throw new UsageError(`${variable} is "${harmless(value)}": it must be an absolute path`, {
    hint: `${variable}=/absolute/path`,
  });
}
