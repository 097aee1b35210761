// The watcher in the background, from the command line: start and stop.

import { HiveError } from "../../base/errors.js";
import { shellWord } from "../../base/text/shell-word.js";
import { refuseEarlierVersion } from "../../fleet/roster/change-roster.js";
import { mayBeJoined } from "../../stores/link/lease-file.js";
import { type WatchWish, wordsOf } from "../../stores/watch/watch-wish.js";
import { plainWish, startWatcher, stopWanted } from "../../watch/process/watcher.js";
import { installedUnit } from "../../watch/process/watcher-unit.js";
import type { Cli, Input } from "../command.js";
import { shown } from "../output.js";

/** `typed` is null without options: then those of the watcher that ran before count. */
export async function start(cli: Cli, input: Input, typed: WatchWish | null): Promise<undefined> {
  const hive = await cli.hive();
  refuseEarlierVersion(hive.paths);
  const isJoined = mayBeJoined(cli.env, hive.paths);
  if (!isJoined && (await hive.panes()).server === null)
    throw new HiveError("no tmux server runs: there is nothing to watch", {
      hint: "start a team first: hivemind up, hivemind restore, or hivemind team setup NAME ROLE…",
    });
  const unit = await installedUnit(cli.env, hive.paths);
  if (unit !== null && unit.state !== "unreachable" && unit.state !== "running")
    throw new HiveError(`${unit.name} is the watcher here, and it does not run (${unit.why})`, {
      hint: `start it: ${unit.manager.commands(unit.name).start}; or first: hivemind watch remove`,
    });
  const { program, env } = cli;
  const wish = typed ?? hive.stores.watchWish.read() ?? plainWish;
  const { watcher, isNew } = await startWatcher(hive.stores, wish, { program, env });
  const { path: log } = hive.stores.watchLog;
  if (input.flag("json")) {
    cli.out.json({ ...watcher, isNew, log });
    return;
  }
  const now = isNew ? "watching in the background" : "a watcher runs already";
  cli.out.print(`${now} (process ${watcher.pid}); stop it: hivemind watch --stop`);
  const words = wordsOf(wish);
  if (isNew && typed === null && words.length > 0)
    cli.out.print(`  as before: ${words.map(shellWord).join(" ")}`);
  cli.out.print(`  log: ${shown(log)}`);
}

export async function stop(cli: Cli, input: Input): Promise<undefined> {
  const { paths, stores } = await cli.hive();
  const stopped = await stopWanted(stores);
  const unit = await installedUnit(cli.env, paths);
  if (input.flag("json")) cli.out.json({ stopped });
  else cli.out.print(stopped === null ? "no watcher runs" : `stopped the watcher (process ${stopped.pid})`);
  if (unit?.isEnabled)
    cli.out.note(
      `hivemind: ${unit.name} starts it again at your next login; to end that: hivemind watch remove`,
    );
}
