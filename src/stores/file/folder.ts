// The paths of all persisted files.
//
// Each file has its own override variable; the default is $HIVEMIND_CONFIG_DIR, else $HOME/config. Without both it
// is an error, never a guess. An override must be an absolute path: a relative one would mean different files in
// each folder.

import { isAbsolute, join } from "node:path";
import { HiveError, UsageError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { type TeamName, teamName } from "../../names/gates.js";

export type Environment = Readonly<Record<string, string | undefined>>;

export type StorePaths = ReturnType<typeof storePaths>;

export function storePaths(env: Environment) {
  const folder = configFolder(env);
  const at = (variable: string, name: string) => override(env, variable) ?? join(folder, name);
  const queueFolder = at("HIVEMIND_QUEUE_DIR", "hivemind.queue");
  return {
    folder,
    roster: at("HIVEMIND_AGENTS", "hivemind.agents.env"),
    viewFolder: join(folder, "hivemind.views"),
    launches: join(folder, "hivemind.launches.env"),
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
    mail: join(folder, "hivemind.mail.log"),
    holds: join(folder, "hivemind.state.env"),
    projects: join(folder, "hivemind.projects.env"),
    moved: join(folder, "hivemind.moved.env"),
    accounts: join(folder, "hivemind.accounts.env"),
    hookFolder: join(folder, "hivemind.hooks"),
    /** The hook's handler names it too. */
    requestFolder: join(folder, "hivemind.hooks", "requests"),
    taskFolder: join(folder, "hivemind.tasks"),
    trashFolder: join(folder, "hivemind.trash"),
    keptFolder: join(folder, "hivemind.kept"),
    pulledFolder: join(folder, "hivemind.pulled"),
    watchLog: join(folder, "hivemind.watch.log"),
    watchWish: join(folder, "hivemind.watch.env"),
    serveFolder: join(folder, "hivemind.serve"),
    fleetJoin: join(folder, "hivemind.fleet.env"),
    fleetFolder: join(folder, "hivemind.fleet"),
    lease: join(folder, "hivemind.lease"),
    published: join(folder, "hivemind.published"),
    claimed: join(folder, "hivemind.claimed"),
    fleetServerFolder: join(folder, "hivemind.fleet", "server"),
    keyFolder: join(folder, "hivemind.keys"),
    /** For demo agents without a config folder of their own. */
    demoFolder: join(folder, "hivemind.demo"),
  };
}

/** Held while a command changes a team; for `acquireLock`. */
export function teamLockPath({ folder }: StorePaths, team: TeamName): string {
  return join(folder, `hivemind.lock.${teamName(team)}`);
}

/** Held by the one loop that watches these stores; for `acquireLock`. */
export function watchLockPath({ folder }: StorePaths): string {
  return join(folder, "hivemind.watching.lock");
}

/** Held while a watcher in the background starts, or decides to end; for `acquireLock`. */
export function watchStartLockPath({ folder }: StorePaths): string {
  return join(folder, "hivemind.watch.starting.lock");
}

/** The watch lock of versions without a roster. */
export function earlierWatchLockPath({ folder }: StorePaths): string {
  return join(folder, "hivemind.watch.lock");
}

/** Held while the viewer's windows are changed or queried; for `acquireLock`. */
export function viewerLockPath({ folder }: StorePaths, what: "changed" | "asked"): string {
  return join(folder, `hivemind.viewer.${what}.lock`);
}

function configFolder(env: Environment): string {
  const given = override(env, "HIVEMIND_CONFIG_DIR");
  if (given !== undefined) return given;
  const home = override(env, "HOME");
  if (home !== undefined) return join(home, "config");
  throw new HiveError("HOME is not set, so the folder of the stores is unknown", {
    hint: "set HOME, or set HIVEMIND_CONFIG_DIR to that folder",
  });
}

/** An empty variable counts as unset. */
function override(env: Environment, variable: string): string | undefined {
  const value = env[variable];
  if (value === undefined || value === "") return undefined;
  if (isAbsolute(value) && !value.includes("\0")) return value;
  throw new UsageError(`${variable} is "${harmless(value)}": it must be an absolute path`, {
    hint: `${variable}=/absolute/path`,
  });
}
