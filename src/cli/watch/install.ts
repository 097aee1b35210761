// The watcher as a unit of this user: systemd or launchd keeps it running, also after a crash and a reboot.

import { HiveError } from "../../base/errors.js";
import { installedText, installUnit, removeUnit, withFolders } from "../../base/system/unit/install.js";
import type { UnitState, UnitWish } from "../../base/system/unit/unit.js";
import { until } from "../../base/until.js";
import type { Hive } from "../../hive/hive.js";
import { limits } from "../../limits.js";
import { stopWanted, type Watcher, watcherOf } from "../../watch/process/watcher.js";
import { unitWish, type WatcherUnit, watcherUnit } from "../../watch/process/watcher-unit.js";
import { confirmOrRefuse } from "../ask.js";
import { asTyped, type Cli, type Command, type Input } from "../command.js";
import { shown } from "../output.js";
import { needPerson } from "../person.js";
import { startHint } from "./bring-back.js";
import { howStarted } from "./status.js";
import { wishIn, workOptions } from "./watch.js";

export const watchInstall: Command = {
  words: "watch install",
  about: "let the system keep the watcher running, from each login on",
  options: [...workOptions, { name: "print", about: "print the file and change nothing" }],
  asks: "writes the file and starts the watcher",
  examples: [
    "hivemind watch install",
    "hivemind watch install --print",
    "hivemind watch install --notify notify-send --yes",
  ],
  notes:
    "Writes a systemd user unit on Linux, a launchd agent on macOS, and starts it. The file is printed whole before you\n" +
    "are asked. It runs `hivemind watch` at each login and again after a failure; without a tmux server the watcher waits\n" +
    "for one. The file has the paths and variables of the moment: the folders of hivemind and of the clients, PATH, the\n" +
    "tmux server, the language. It has no keys and no tokens. Each config folder has its own unit. A watcher in the\n" +
    "background is replaced. `hivemind watch remove` removes everything again. Only a person may use this command, except\n" +
    "with --print.",
  hasJson: true,
  async run(cli, input) {
    const hive = await cli.hive();
    const unit = needUnit(cli, hive);
    const file = withFolders(unit.manager, wishFor(cli, hive, unit, input));
    const text = unit.manager.textOf(file);
    if (input.flag("print")) {
      if (input.flag("json")) cli.out.json({ name: unit.name, path: unit.path, text });
      else cli.out.write(text);
      return;
    }
    needPerson(cli, hive, await hive.panes());
    await needManager(unit);
    const before = installedText(unit.manager, unit.name);
    if (before === text && (await unit.manager.look(unit.name)).state === "running")
      return report(cli, input, unit, { text, isNew: false, replaced: null });
    await confirmInstall(cli, input, hive, unit, text);
    await installUnit(unit.manager, file);
    const replaced = await takeOver(hive, unit);
    return report(cli, input, unit, { text, isNew: true, replaced });
  },
};

export const watchRemove: Command = {
  words: "watch remove",
  about: "end the watcher of `watch install`, and remove its file",
  examples: ["hivemind watch remove"],
  notes:
    "Removes also the folders that `watch install` made, if they are empty. Only a person may use this command.",
  hasJson: true,
  async run(cli, input) {
    const hive = await cli.hive();
    const unit = needUnit(cli, hive);
    needPerson(cli, hive, await hive.panes());
    const { isRemoved, why } = await removeUnit(unit.manager, unit.name);
    if (input.flag("json")) cli.out.json({ name: unit.name, path: unit.path, isRemoved, why });
    else
      cli.out.print(
        isRemoved ? `removed ${shown(unit.path)}` : `no ${unit.manager.title} at ${shown(unit.path)}`,
      );
    if (why !== null)
      cli.out.note(`hivemind: the file is gone, but the watcher may still run: ${shown(why)}`);
    if (isRemoved && why === null && watcherOf(hive.paths) === null)
      cli.out.note(`hivemind: nobody delivers messages or saves the teams now: ${startHint}`);
  },
};

function needUnit({ env }: Cli, { paths }: Hive): WatcherUnit {
  const unit = watcherUnit(env, paths);
  if (unit !== null) return unit;
  throw new HiveError("hivemind knows no service manager of this system", { hint: startHint });
}

/** Without options, those of the watcher that it replaces. */
function wishFor(cli: Cli, { paths, stores }: Hive, unit: WatcherUnit, input: Input): UnitWish {
  const typed = wishIn(cli, input);
  const isTyped = asTyped(input, workOptions).length > 0;
  const wish = isTyped ? typed : (stores.watchWish.read() ?? typed);
  return unitWish(unit, { env: cli.env, paths, program: cli.program, wish });
}

async function needManager({ manager }: WatcherUnit): Promise<void> {
  const missing = await manager.missing();
  if (missing === null) return;
  throw new HiveError(`no service manager of this user answers here: ${missing.why}`, {
    hint: missing.cure ?? `without one: ${startHint}, which restore and up start again`,
  });
}

async function confirmInstall(
  cli: Cli,
  input: Input,
  { paths }: Hive,
  unit: WatcherUnit,
  text: string,
): Promise<void> {
  const { out } = cli;
  const lines = [
    `${unit.path}:`,
    ...text
      .trimEnd()
      .split("\n")
      .map((line) => `  ${line}`),
  ].map(shown);
  if (input.flag("json")) for (const line of lines) out.note(line);
  else out.lines(lines);
  if (cli.env.HIVEMIND_FLEET)
    out.note("hivemind: HIVEMIND_FLEET is left out, because it may hold a password: hivemind fleet join");
  const old = replaceable(paths, null);
  const would = [
    `write this ${unit.manager.title} and start it`,
    ...(old === null ? [] : [`stop the watcher in the background (process ${old.pid})`]),
  ];
  const command = ["watch install", ...asTyped(input, workOptions)].join(" ");
  await confirmOrRefuse(input, { would, command });
}

/** The watcher in the background. One at a terminal, or a server, goes on: the unit takes the post when it ends. */
function replaceable(paths: Hive["paths"], unit: { pid: number | null } | null): Watcher | null {
  const running = watcherOf(paths);
  return running !== null && howStarted(running, unit) === "background" ? running : null;
}

/** The unit runs before the watcher in the background stops, so that somebody watches at any moment. */
async function takeOver({ paths, stores }: Hive, unit: WatcherUnit): Promise<Watcher | null> {
  const isSettled = ({ state }: UnitState) => state === "failed" || state === "restarting";
  const look = () => unit.manager.look(unit.name);
  const patience = { withinMs: limits.watchStartMs, pollMs: limits.unitLookMs };
  const first = await until(look, (seen) => isSettled(seen) || watcherOf(paths) !== null, patience);
  if (!isSettled(first)) {
    const old = replaceable(paths, first);
    if (old === null) await stores.watchWish.forget();
    else await stopWanted(stores);
    const isAtPost = (seen: UnitState) => isSettled(seen) || watcherOf(paths)?.pid === seen.pid;
    const last = old === null ? first : await until(look, isAtPost, patience);
    if (!isSettled(last)) return old;
  }
  const { log } = unit.manager.commands(unit.name);
  throw new HiveError(`${unit.name} is installed, but its watcher fails`, {
    hint: `see why: ${log ?? `tail ${paths.watchLog}`}; to remove it: hivemind watch remove`,
  });
}

async function report(
  cli: Cli,
  input: Input,
  { manager, name, path }: WatcherUnit,
  { text, isNew, replaced }: { text: string; isNew: boolean; replaced: Watcher | null },
): Promise<undefined> {
  const { paths } = await cli.hive();
  const { state, pid } = await manager.look(name);
  const watcher = watcherOf(paths);
  const { log } = manager.commands(name);
  if (input.flag("json")) {
    cli.out.json({ name, path, text, isNew, state, pid, watcher, replaced });
    return;
  }
  const { out } = cli;
  out.print(isNew ? `installed: ${name} runs (process ${pid})` : `already installed: ${name} runs`);
  if (replaced !== null) out.print(`it replaces the watcher in the background (process ${replaced.pid})`);
  if (watcher !== null && watcher.pid !== pid)
    out.print(`process ${watcher.pid} delivers and saves; ${name} takes over when that one ends`);
  out.lines([`log: ${log ?? shown(paths.watchLog)}`, ...manager.afterwards]);
}
