// The watcher in the background, from the command line: start and stop.

import { HiveError } from "../../base/errors.js";
import { refuseEarlierVersion } from "../../fleet/roster/change-roster.js";
import { mayBeJoined } from "../../stores/link/lease-file.js";
import type { WatchWish } from "../../stores/watch/watch-wish.js";
import { startWatcher, stopWanted } from "../../watch/watcher.js";
import { installedService } from "../../watch/watcher-service.js";
import type { Cli, Input } from "../command.js";
import { shown } from "../output.js";

export async function start(cli: Cli, input: Input, wish: WatchWish): Promise<undefined> {
  const hive = await cli.hive();
  refuseEarlierVersion(hive.paths);
  const isJoined = mayBeJoined(cli.env, hive.paths);
  if (!isJoined && (await hive.panes()).server === null)
    throw new HiveError("no tmux server runs: there is nothing to watch", {
      hint: "start a team first: hivemind up, hivemind restore, or hivemind team setup NAME ROLE…",
    });
  const service = await installedService(cli.env, hive.paths);
  if (service !== null && service.state !== "unreachable" && service.state !== "running")
    throw new HiveError(`${service.name} is the watcher here, and it does not run (${service.why})`, {
      hint: `start it: ${service.manager.commands(service.name).start}; or first: hivemind watch remove`,
    });
  const { program, env } = cli;
  const { watcher, isNew } = await startWatcher(hive.stores, wish, { program, env });
  const { path: log } = hive.stores.watchLog;
  if (input.flag("json")) {
    cli.out.json({ ...watcher, isNew, log });
    return;
  }
  const now = isNew ? "watching in the background" : "a watcher runs already";
  cli.out.print(`${now} (process ${watcher.pid}); stop it: hivemind watch --stop`);
  cli.out.print(`  log: ${shown(log)}`);
}

export async function stop(cli: Cli, input: Input): Promise<undefined> {
  const { paths, stores } = await cli.hive();
  const stopped = await stopWanted(stores);
  const service = await installedService(cli.env, paths);
  if (input.flag("json")) cli.out.json({ stopped });
  else cli.out.print(stopped === null ? "no watcher runs" : `stopped the watcher (process ${stopped.pid})`);
  if (service?.isEnabled)
    cli.out.note(
      `hivemind: ${service.name} starts it again at your next login; to end that: hivemind watch remove`,
    );
}
