// What a command that brings agents back does about the watcher: the one that somebody wanted runs again.
//
// The agents are back whatever becomes of the watcher: its failure is a warning.

import { HiveError } from "../../base/errors.js";
import type { Hive } from "../../hive/hive.js";
import { mayBeJoined } from "../../stores/link/lease-file.js";
import type { Started, Watcher } from "../../watch/process/watcher.js";
import type { Cli } from "../command.js";
import { shown } from "../output.js";

/** As commands print it as JSON. */
export interface BackWatcher extends Watcher {
  /** This command started it. */
  isNew: boolean;
}

export const startHint = "hivemind watch --background";

interface BackOptions {
  /** Nothing but JSON goes to stdout. */
  isJson?: boolean;
  /** Whether to say that nobody watches, although nobody wanted a watcher. */
  hasHint?: boolean;
}

/** Null if no watcher runs. */
export async function watcherBack(
  cli: Cli,
  { isJson = false, hasHint = false }: BackOptions = {},
): Promise<BackWatcher | null> {
  const { out } = cli;
  const hive = await cli.hive();
  try {
    const found = await bringBack(cli, hive);
    if (found === "unwanted") {
      if (hasHint && !isJson) out.print(`nobody delivers messages or saves the team: ${startHint}`);
      return null;
    }
    if (found === null) return null;
    const { watcher, isNew } = found;
    if (isNew && !isJson) out.print(`the watcher runs again (process ${watcher.pid})`);
    return { ...watcher, isNew };
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
    out.note(`hivemind: warning: ${shown(error.message)}`);
    if (error.hint) out.note(`  ${shown(error.hint)}`);
    return null;
  }
}

/** `unwanted`: nobody wants one, and none runs. Null: there is nothing to watch. */
async function bringBack(cli: Cli, hive: Hive): Promise<Started | "unwanted" | null> {
  const { env, program } = cli;
  const { paths, stores } = hive;
  const { startWanted, watcherOf } = await import("../../watch/process/watcher.js");
  const { installedUnit } = await import("../../watch/process/watcher-unit.js");
  const running = watcherOf(paths);
  const unit = running === null ? await installedUnit(env, paths) : null;
  if (unit !== null && unit.state !== "unreachable") {
    // A unit that runs takes the post within seconds.
    if (unit.state === "running" || unit.state === "restarting") return null;
    throw new HiveError(`${unit.name} is the watcher here, and it does not run (${unit.why})`, {
      hint: `start it: ${unit.manager.commands(unit.name).start}`,
    });
  }
  if (stores.watchWish.read() === null)
    return running === null ? "unwanted" : { watcher: running, isNew: false };
  if (!mayBeJoined(env, paths) && (await hive.panes()).server === null) return null;
  // Also where one runs: it may be about to end with the tmux server before this one.
  return (await startWanted(stores, { program, env })) ?? "unwanted";
}
