// Whether somebody delivers messages and saves the teams, in words for every command that shows it.

import type { Hive } from "../hive/hive.js";

/** What to print below queued messages; null where a watcher delivers them. `isCold`: no tmux server runs. */
export async function undelivered(
  { env, paths }: Pick<Hive, "env" | "paths">,
  isCold = false,
): Promise<string | null> {
  const { watcherOf } = await import("../watch/process/watcher.js");
  if (watcherOf(paths) !== null) return null;
  const { installedUnit } = await import("../watch/process/watcher-unit.js");
  const unit = await installedUnit(env, paths);
  const cure =
    unit === null || unit.state === "unreachable"
      ? `${isCold ? "after restore or up, " : ""}hivemind watch --background`
      : unit.manager.commands(unit.name).start;
  return `Nobody is delivering: ${cure}`;
}

/** Null where a watcher runs, or where nobody wanted one. */
export async function missingWatcher(
  { env, paths, stores }: Pick<Hive, "env" | "paths" | "stores">,
  isCold: boolean,
): Promise<string | null> {
  const { watcherOf } = await import("../watch/process/watcher.js");
  if (watcherOf(paths) !== null) return null;
  const { installedUnit } = await import("../watch/process/watcher-unit.js");
  const unit = await installedUnit(env, paths);
  if (unit !== null && unit.state !== "unreachable")
    return `The watcher ${unit.name} does not run (${unit.why}): ${unit.manager.commands(unit.name).start}`;
  if (stores.watchWish.read() === null) return null;
  return isCold
    ? "The watcher has ended; restore and up start it again."
    : "The watcher that you started does not run: hivemind watch --background";
}
