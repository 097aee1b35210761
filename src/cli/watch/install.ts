// The watcher as a service of this user: systemd or launchd keeps it running, also after a crash and a reboot.

import { HiveError } from "../../base/errors.js";
import {
  installedText,
  installService,
  removeService,
  withFolders,
} from "../../base/system/service/install.js";
import type { ServiceState, ServiceWish } from "../../base/system/service/service.js";
import { until } from "../../base/until.js";
import type { Hive } from "../../hive/hive.js";
import { limits } from "../../limits.js";
import { stopWanted, type Watcher, watcherOf } from "../../watch/watcher.js";
import { serviceWish, type WatcherService, watcherService } from "../../watch/watcher-service.js";
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
    "tmux server, the language. It has no keys and no tokens. Each config folder has its own service. A watcher in the\n" +
    "background is replaced. `hivemind watch remove` removes everything again. Only a person may use this command, except\n" +
    "with --print.",
  hasJson: true,
  async run(cli, input) {
    const hive = await cli.hive();
    const service = needService(cli, hive);
    const file = withFolders(service.manager, wishFor(cli, hive, service, input));
    const text = service.manager.textOf(file);
    if (input.flag("print")) {
      if (input.flag("json")) cli.out.json({ name: service.name, path: service.path, text });
      else cli.out.write(text);
      return;
    }
    needPerson(cli, hive, await hive.panes());
    await needManager(service);
    const before = installedText(service.manager, service.name);
    if (before === text && (await service.manager.look(service.name)).state === "running")
      return report(cli, input, service, { text, isNew: false, replaced: null });
    await confirmInstall(cli, input, hive, service, text);
    await installService(service.manager, file);
    const replaced = await takeOver(hive, service);
    return report(cli, input, service, { text, isNew: true, replaced });
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
    const service = needService(cli, hive);
    needPerson(cli, hive, await hive.panes());
    const { isRemoved, why } = await removeService(service.manager, service.name);
    if (input.flag("json")) cli.out.json({ name: service.name, path: service.path, isRemoved, why });
    else
      cli.out.print(
        isRemoved
          ? `removed ${shown(service.path)}`
          : `no ${service.manager.title} at ${shown(service.path)}`,
      );
    if (why !== null)
      cli.out.note(`hivemind: the file is gone, but the watcher may still run: ${shown(why)}`);
    if (isRemoved && why === null && watcherOf(hive.paths) === null)
      cli.out.note(`hivemind: nobody delivers messages or saves the teams now: ${startHint}`);
  },
};

function needService({ env }: Cli, { paths }: Hive): WatcherService {
  const service = watcherService(env, paths);
  if (service !== null) return service;
  throw new HiveError(`hivemind knows no service manager on ${process.platform}`, { hint: startHint });
}

/** Without options, those of the watcher that it replaces. */
function wishFor(cli: Cli, { paths, stores }: Hive, service: WatcherService, input: Input): ServiceWish {
  const typed = wishIn(cli, input);
  const isTyped = asTyped(input, workOptions).length > 0;
  const wish = isTyped ? typed : (stores.watchWish.read() ?? typed);
  return serviceWish(service, { env: cli.env, paths, program: cli.program, wish });
}

async function needManager({ manager }: WatcherService): Promise<void> {
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
  service: WatcherService,
  text: string,
): Promise<void> {
  const { out } = cli;
  const lines = [
    `${service.path}:`,
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
    `write this ${service.manager.title} and start it`,
    ...(old === null ? [] : [`stop the watcher in the background (process ${old.pid})`]),
  ];
  const command = ["watch install", ...asTyped(input, workOptions)].join(" ");
  await confirmOrRefuse(input, { would, command });
}

/** The watcher in the background. One at a terminal, or a server, goes on: the service takes the post when it ends. */
function replaceable(paths: Hive["paths"], service: { pid: number | null } | null): Watcher | null {
  const running = watcherOf(paths);
  return running !== null && howStarted(running, service) === "background" ? running : null;
}

/** The service runs before the watcher in the background stops, so that somebody watches at any moment. */
async function takeOver({ paths, stores }: Hive, service: WatcherService): Promise<Watcher | null> {
  const isSettled = ({ state }: ServiceState) => state === "failed" || state === "restarting";
  const look = () => service.manager.look(service.name);
  const patience = { withinMs: limits.watchStartMs, pollMs: limits.serviceLookMs };
  const first = await until(look, (seen) => isSettled(seen) || watcherOf(paths) !== null, patience);
  if (!isSettled(first)) {
    const old = replaceable(paths, first);
    if (old === null) await stores.watchWish.forget();
    else await stopWanted(stores);
    const isAtPost = (seen: ServiceState) => isSettled(seen) || watcherOf(paths)?.pid === seen.pid;
    const last = old === null ? first : await until(look, isAtPost, patience);
    if (!isSettled(last)) return old;
  }
  const { log } = service.manager.commands(service.name);
  throw new HiveError(`${service.name} is installed, but its watcher fails`, {
    hint: `see why: ${log ?? `tail ${paths.watchLog}`}; to remove it: hivemind watch remove`,
  });
}

async function report(
  cli: Cli,
  input: Input,
  { manager, name, path }: WatcherService,
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
