// The watcher in the background, from the command line: start and stop.

import { HiveError } from "../../base/errors.js";
import { refuseEarlierVersion } from "../../fleet/roster/change-roster.js";
import { mayBeJoined } from "../../stores/link/lease-file.js";
import { startWatcher, stopWatcher } from "../../watch/watcher.js";
import { type Cli, given, type Input } from "../command.js";
import { shown } from "../output.js";

/** `notify` is the path of the program that --notify names. */
export async function start(cli: Cli, input: Input, notify: string | null): Promise<undefined> {
  const hive = await cli.hive();
  refuseEarlierVersion(hive.paths);
  const isJoined = mayBeJoined(cli.env, hive.paths);
  if (!isJoined && (await hive.panes()).server === null)
    throw new HiveError("no tmux server runs: there is nothing to watch", {
      hint: "start a team first: hivemind up, hivemind restore, or hivemind team setup NAME ROLE…",
    });
  const typed = given({ notify: notify ?? undefined, every: input.option("every") });
  const options = Object.entries(typed).flatMap(([name, value]) => [`--${name}`, value]);
  const flags = ["reconcile", "quiet"].filter((name) => input.flag(name)).map((name) => `--${name}`);
  const words = ["watch", "--until-server-ends", ...options, ...flags];
  const { watcher, isNew } = await startWatcher(hive.stores, [...cli.program, ...words], cli.env);
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
  const { paths } = await cli.hive();
  const stopped = await stopWatcher(paths);
  if (input.flag("json")) cli.out.json({ stopped });
  else cli.out.print(stopped === null ? "no watcher runs" : `stopped the watcher (process ${stopped.pid})`);
}
