// What to type where no watcher runs.

import type { Hive } from "../../hive/hive.js";
import { mayBeJoined } from "../../stores/link/lease-file.js";
import type { InstalledService } from "../../watch/watcher-service.js";
import type { Cli } from "../command.js";

export async function cureOf(
  { env }: Pick<Cli, "env">,
  hive: Hive,
  service: InstalledService | null,
): Promise<string> {
  if (service !== null && service.state !== "unreachable")
    return service.manager.commands(service.name).start;
  const isThere = mayBeJoined(env, hive.paths) || (await hive.panes()).server !== null;
  return isThere ? "hivemind watch --background" : "hivemind restore, or hivemind up: first a team must run";
}
