// Whether a watcher runs, which one, and what to type if none does.

import { lstatSync } from "node:fs";
import { hostname } from "node:os";
import { type ExitCode, exitCodes } from "../../base/errors.js";
import { findProcess, readProcessVariables } from "../../base/system/processes.js";
import { shellWord } from "../../base/text/shell-word.js";
import { textTable } from "../../base/text/table.js";
import { utcSeconds } from "../../base/text/utc.js";
import { watchLockPath } from "../../stores/file/folder.js";
import { wordsOf } from "../../stores/watch/watch-wish.js";
import { chooseServer } from "../../tmux/socket.js";
import { type Watcher, watcherOf } from "../../watch/process/watcher.js";
import { type InstalledUnit, installedUnit } from "../../watch/process/watcher-unit.js";
import type { Cli, Input } from "../command.js";
import { shown } from "../output.js";
import { age } from "../sessions/cells.js";
import { cureOf } from "./cure.js";

export async function showWatcher(cli: Cli, input: Input): Promise<ExitCode> {
  const found = await look(cli);
  if (input.flag("json")) cli.out.json(found);
  else cli.out.lines(lines(found, Date.now()));
  return found.watcher === null ? exitCodes.refused : exitCodes.done;
}

type Found = Awaited<ReturnType<typeof look>>;

async function look(cli: Cli) {
  const hive = await cli.hive();
  const { paths, stores } = hive;
  const [running, unit, wish] = [
    watcherOf(paths),
    await installedUnit(cli.env, paths),
    stores.watchWish.read(),
  ];
  const process = running === null || running.host !== hostname() ? null : findProcess(running.pid);
  const how = running === null ? null : howStarted(running, unit);
  return {
    runs: running !== null,
    watcher:
      running === null
        ? null
        : {
            ...running,
            since: sinceOf(watchLockPath(paths)),
            how,
            options: process === null ? null : optionsIn(process.args),
            tmux: process === null ? null : tmuxOf(process.pid),
          },
    wanted: wish === null ? null : { options: wordsOf(wish) },
    folder: paths.folder,
    // A unit has its manager's log, where that has one.
    log: isLogged(how, unit) ? paths.watchLog : null,
    lastLine: stores.watchLog.linesFrom(0).at(-1) ?? null,
    unit:
      unit === null
        ? null
        : {
            ...{ name: unit.name, path: unit.path, state: unit.state, pid: unit.pid },
            ...{ isEnabled: unit.isEnabled, why: unit.why },
            ...unit.manager.commands(unit.name),
          },
    cure: running === null ? await cureOf(cli, hive, unit) : null,
  };
}

type How = "unit" | "background" | "terminal" | "serve" | "program";

/** Null if its process is not visible from here. */
export function howStarted({ pid, host }: Watcher, unit: { pid: number | null } | null): How | null {
  const process = host === hostname() ? findProcess(pid) : null;
  if (process === null) return null;
  if (unit?.pid === pid) return "unit";
  const words = process.args.slice(1);
  if (words.includes("serve") && !words.includes("watch")) return "serve";
  if (process.tty !== null) return "terminal";
  return words.includes("--until-server-ends") ? "background" : "program";
}

function isLogged(how: How | null, unit: InstalledUnit | null): boolean {
  if (how === "unit") return unit?.manager.commands(unit.name).log === null;
  return how === null || how === "background";
}

const inWords: Readonly<Record<How, string>> = {
  unit: "by its unit",
  background: "in the background",
  terminal: "at a terminal",
  serve: "as part of `hivemind serve`",
  program: "by another program",
};

/** What was typed behind `watch`, without what --background adds; of `serve`, what was typed behind it. */
function optionsIn(args: readonly string[]): string[] {
  const at = args.findIndex((word, place) => place > 0 && (word === "watch" || word === "serve"));
  return at < 0 ? [] : args.slice(at + 1).filter((word) => word !== "--until-server-ends");
}

/** The flags that name the tmux server it asks; none is the default server. */
function tmuxOf(pid: number): string {
  const env = Object.fromEntries(readProcessVariables(pid, ["HIVEMIND_TMUX_SOCKET", "TMUX"]));
  return ["tmux", ...chooseServer(env, env.HIVEMIND_TMUX_SOCKET).flags].map(shellWord).join(" ");
}

/** When it took the post: it may have looked on before. */
function sinceOf(lockPath: string): string | null {
  const stat = lstatSync(lockPath, { throwIfNoEntry: false });
  return stat === undefined ? null : utcSeconds(stat.mtimeMs);
}

function lines(found: Found, nowMs: number): string[] {
  const { watcher, wanted, unit, cure, folder, log, lastLine } = found;
  const options = (words: readonly string[]) =>
    words.length === 0 ? "none" : words.map(shellWord).join(" ");
  const rows: [string, string][] = [];
  if (watcher !== null) {
    const { pid, host, since, how, tmux } = watcher;
    const ago = since === null ? "" : ` since ${since} (${age(Date.parse(since), nowMs)})`;
    rows.push(["watcher", `runs${ago}: process ${pid} on ${host}`]);
    rows.push(["started", how === null ? "not visible from here" : inWords[how]]);
    rows.push(["options", watcher.options === null ? "not visible from here" : options(watcher.options)]);
    rows.push(["watches", `${folder}${tmux === null ? "" : `, ${tmux}`}`]);
  } else {
    rows.push(["watcher", "none runs"]);
    rows.push(["watches", folder]);
  }
  if (wanted !== null)
    rows.push(["after a crash", `restore and up start it again, options: ${options(wanted.options)}`]);
  if (unit !== null)
    rows.push([
      "unit",
      `${unit.name}: ${unit.state}${unit.why === null ? "" : ` (${unit.why})`}, ${unit.path}`,
    ]);
  if (unit?.log != null && watcher?.how === "unit") rows.push(["log", unit.log]);
  else if (log !== null && lastLine !== null) rows.push(["log", log], ["last line", lastLine]);
  return [
    ...textTable(rows.map(([name, value]) => [name, shown(value)])),
    ...(cure === null ? [] : ["", `To start one: ${shown(cure)}`]),
  ];
}
