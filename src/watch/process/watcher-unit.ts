// The watcher as a unit of its user: its name, its words, and which variables it needs.
//
// Only variables of the lists below get into the unit's file. None of them holds a secret.

import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isInstalled, unitManager } from "../../base/system/unit/install.js";
import type { UnitManager, UnitState, UnitWish } from "../../base/system/unit/unit.js";
import { fingerprint } from "../../names/fingerprint.js";
import type { StorePaths } from "../../stores/file/folder.js";
import { type WatchWish, wordsOf } from "../../stores/watch/watch-wish.js";

export interface WatcherUnit {
  manager: UnitManager;
  name: string;
  path: string;
}

/** Null on a system without a manager that we know. One unit per config folder. */
export function watcherUnit(env: NodeJS.ProcessEnv, { folder }: StorePaths): WatcherUnit | null {
  const manager = unitManager(env);
  if (manager === null) return null;
  const isDefault = env.HOME !== undefined && real(folder) === real(join(env.HOME, "config"));
  const name = isDefault ? "hivemind-watch" : `hivemind-watch-${fingerprint(real(folder))}`;
  return { manager, name, path: manager.pathOf(name) };
}

export interface InstalledUnit extends WatcherUnit, UnitState {}

/** Null if no unit of this config folder is installed. Asks the manager only if one is. */
export async function installedUnit(
  env: NodeJS.ProcessEnv,
  paths: StorePaths,
): Promise<InstalledUnit | null> {
  // Without HOME there is no folder in which one could be.
  if (!env.HOME && !env.XDG_CONFIG_HOME) return null;
  const unit = watcherUnit(env, paths);
  if (unit === null || !isInstalled(unit.manager, unit.name)) return null;
  return { ...unit, ...(await unit.manager.look(unit.name)) };
}

export interface UnitOptions {
  env: NodeJS.ProcessEnv;
  paths: StorePaths;
  program: readonly [string, string];
  wish: WatchWish;
}

export function unitWish(
  { name }: WatcherUnit,
  { env, paths, program: [node, script], wish }: UnitOptions,
): UnitWish {
  return {
    name,
    madeBy: ["hivemind watch install", "hivemind watch remove"],
    about: "hivemind: deliver messages and save the teams",
    // A link's name can lead elsewhere after an update of another program; its target cannot.
    program: [node, realpathSync(script), "watch", ...wordsOf(wish)],
    variables: variablesOf(env),
    logPath: paths.watchLog,
    madeFolders: 0,
  };
}

export function variablesOf(env: NodeJS.ProcessEnv): ReadonlyMap<string, string> {
  const taken = takenVariables.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  // The server that this command runs in is the one to watch.
  const socket = env.HIVEMIND_TMUX_SOCKET ? undefined : env.TMUX?.split(",")[0];
  return new Map([...taken, ...(socket ? [["HIVEMIND_TMUX_SOCKET", socket] as const] : [])]);
}

/** HIVEMIND_FLEET is left out: its address may hold a password. */
const takenVariables = [
  ...["HOME", "PATH", "LANG", "LC_ALL", "LC_CTYPE"],
  ...["HIVEMIND_CONFIG_DIR", "HIVEMIND_AGENTS", "HIVEMIND_REGISTRY", "HIVEMIND_SESSIONS", "HIVEMIND_TEAMS"],
  ...["HIVEMIND_SNAPSHOT_DIR", "HIVEMIND_FORKS", "HIVEMIND_QUEUE_DIR", "HIVEMIND_ACTIVE_TEAM"],
  ...["TRON_MONITOR_ENV", "OTMUX_SIZE_LOCKS", "OTMUX_LAYOUT_DIR", "HIVEMIND_EVENTS"],
  ...["HIVEMIND_TMUX_SOCKET", "TMUX_TMPDIR", "HIVEMIND_HOST", "HIVEMIND_SSH_CONFIG", "SCREENDIR"],
  ...["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"],
  ...["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"],
  ...["CLAUDE_MAX_TOKENS_DEFAULT", "CLAUDE_MAX_TOKENS_1M"],
] as const;

/** Of a folder that does not exist yet, too: it keeps its name when somebody makes it. */
function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return dirname(folder) === folder ? folder : join(real(dirname(folder)), basename(folder));
  }
}
