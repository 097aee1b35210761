// What to type where no watcher runs.

import type { Hive } from "../../hive/hive.js";
import { mayBeJoined } from "../../stores/link/lease-file.js";
import type { InstalledUnit } from "../../watch/process/watcher-unit.js";
import type { Cli } from "../command.js";

export async function cureOf(
  { env }: Pick<Cli, "env">,
  hive: Hive,
  unit: InstalledUnit | null,
): Promise<string> {
  if (unit !== null && unit.state !== "unreachable") return unit.manager.commands(unit.name).start;
  const isThere = mayBeJoined(env, hive.paths) || (await hive.panes()).server !== null;
  if (isThere) return "hivemind watch --background";
  return hive.stores.watchWish.read() === null
    ? "first a team must run (hivemind restore, up, or team setup NAME ROLE…), then: hivemind watch --background"
    : "hivemind restore, or hivemind up: they start a team, and the watcher with it";
}
