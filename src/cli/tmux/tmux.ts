// `hivemind tmux`: tmux itself shows the fleet, in its status line, on a key and on the borders of panes.

import { realpathSync } from "node:fs";
import { exitCodes, HiveError, UsageError } from "../../base/errors.js";
import { onPath } from "../../base/files/on-path.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { textTable } from "../../base/text/table.js";
import type { Hive } from "../../hive/hive.js";
import type { Cli, Command, Input } from "../command.js";
import { shown } from "../output.js";
import { needPerson } from "../person.js";
import type { ServerState } from "./server-lines.js";
import type { Wanted } from "./tmux-lines.js";

export const tmuxInstall: Command = {
  words: "tmux install",
  about: "let tmux itself show the fleet",
  options: [
    { name: "key", value: "key", about: "the key after tmux's prefix that opens the overview (default: h)" },
    { name: "borders", about: "also show role and state on the border of each pane" },
  ],
  examples: ["hivemind tmux install", "hivemind tmux install --borders", "hivemind tmux install --key a"],
  notes:
    "Adds three things to tmux: a key that opens `hivemind top` in a popup, the number of waiting, busy and idle agents\n" +
    "in the status line, and with --borders a label on each pane. `hivemind watch` writes them when they change; tmux\n" +
    "starts no process for them. Without a watcher the status line says so within two minutes, or is empty.\n" +
    "The lines are at the end of your tmux configuration, between two marker lines, and are applied to the running server\n" +
    "at once. `hivemind tmux remove` restores both. Only a person may use this command.",
  async run(cli, input) {
    const { hive, isRunning } = await personsHive(cli);
    // tmux would start a server to list its keys.
    if (!isRunning)
      throw new HiveError("no tmux server runs, so nothing shows which keys are free", {
        hint: "start tmux first, then try again",
        exitCode: exitCodes.couldNotLook,
      });
    const server = await import("./server-lines.js");
    const { configLines } = await import("./tmux-lines.js");
    const { blockAddition } = await import("./config-block.js");
    const { addTo, additionState } = await import("../../base/files/edited-file.js");
    const { configPath } = await import("./config-file.js");
    const path = configPath(cli.env);
    const state = await server.readServer(hive.tmux);
    const wanted = await wantedBy(cli, input, state);
    refuseTaken(state, wanted, server.isOurKey);
    const addition = blockAddition(configLines(wanted));
    const found = additionState(path, addition);
    if (found.state === "installed" && server.isApplied(state, wanted)) {
      cli.out.print(`already installed: prefix + ${wanted.key}, and the status line`);
      return;
    }
    if (found.state !== "broken") await server.apply(hive.tmux, state, wanted);
    const { backup } = await addTo(path, addition).catch(async (error: unknown) => {
      if (state.mark === undefined) await server.takeBack(hive.tmux, await server.readServer(hive.tmux));
      throw error;
    });
    cli.out.print(`installed in ${shown(path)} and in the running tmux server`);
    if (backup !== null) cli.out.print(`backup of the old file: ${shown(backup)}`);
    cli.out.print(`prefix + ${wanted.key} opens the overview; the status line counts the agents`);
    await noteWatcher(cli, hive);
  },
};

export const tmuxRemove: Command = {
  words: "tmux remove",
  about: "take hivemind out of tmux's key table and status line again",
  examples: ["hivemind tmux remove"],
  notes:
    "Restores the tmux configuration byte for byte and the values of the running server. What you changed since stays as\n" +
    "you changed it. Only a person may use this command.",
  async run(cli) {
    const { hive, isRunning } = await personsHive(cli);
    const { readServer, takeBack } = await import("./server-lines.js");
    const { blockAddition } = await import("./config-block.js");
    const { removeFrom } = await import("../../base/files/edited-file.js");
    const { configPath } = await import("./config-file.js");
    const path = configPath(cli.env);
    const isRemoved = await removeFrom(path, blockAddition(""));
    const state = isRunning ? await readServer(hive.tmux) : null;
    const isInServer = state?.mark !== undefined;
    if (state !== null) await takeBack(hive.tmux, state);
    cli.out.print(isRemoved ? `removed from ${shown(path)}` : `nothing of hivemind in ${shown(path)}`);
    if (isInServer) cli.out.print("removed from the running tmux server");
  },
};

export const tmuxStatus: Command = {
  words: "tmux status",
  about: "whether tmux itself shows the fleet",
  examples: ["hivemind tmux status", "hivemind tmux status --json"],
  hasJson: true,
  async run(cli, input) {
    const found = await look(cli);
    if (input.flag("json")) {
      cli.out.json(found);
      return;
    }
    const { config, server, watcher } = found;
    cli.out.lines(
      textTable([
        ["WHAT", "STATE", "WHERE"],
        [
          "configuration",
          config.why === null ? config.state : `${config.state} (${shown(config.why)})`,
          shown(config.path),
        ],
        [
          "tmux server",
          server.state,
          server.key === null ? "" : `prefix + ${shown(server.key)}${server.hasBorders ? ", borders" : ""}`,
        ],
        ["watcher", watcher === null ? "none" : "runs", watcher === null ? "" : `process ${watcher.pid}`],
      ]),
    );
    if (server.status !== "") cli.out.lines(["", `tmux shows: ${shown(server.status)}`]);
    if (server.state === "absent") cli.out.lines(["", "To turn it on: hivemind tmux install"]);
    else if (watcher === null) cli.out.lines(["", watcherHint]);
  },
};

const watcherHint = "no watcher runs, so tmux shows nothing: hivemind watch --background";

async function look(cli: Cli) {
  const hive = await cli.hive();
  const { readServer, isOurKey } = await import("./server-lines.js");
  const { configLines, readMark } = await import("./tmux-lines.js");
  const { blockAddition } = await import("./config-block.js");
  const { additionState } = await import("../../base/files/edited-file.js");
  const { configPath } = await import("./config-file.js");
  const { watcherOf } = await import("../../watch/process/watcher.js");
  const { server } = await hive.panes();
  const state = server === null ? null : await readServer(hive.tmux);
  const mark = state?.mark;
  const { key, hasBorders } = mark === undefined ? { key: null, hasBorders: false } : readMark(mark);
  const wanted = { key: key ?? "", hasBorders, top: topWords(cli) };
  const path = configPath(cli.env);
  const inFile = additionState(path, blockAddition(configLines(wanted)));
  // Without a server nothing says which key and parts were wanted.
  const fileState = inFile.state === "outdated" && key === null ? "installed" : inFile.state;
  return {
    config: { path, state: fileState, why: inFile.why },
    server: {
      state: state === null ? "not running" : mark === undefined ? "absent" : "installed",
      key: state !== null && key !== null && isOurKey(state, key) ? key : null,
      hasBorders,
      status: server?.status ?? "",
    },
    watcher: watcherOf(hive.paths),
  };
}

async function personsHive(cli: Cli): Promise<{ hive: Hive; isRunning: boolean }> {
  const hive = await cli.hive();
  const panes = await hive.panes();
  needPerson(cli, hive, panes);
  return { hive, isRunning: panes.server !== null };
}

/** What was typed; what was not typed stays as it is installed. */
async function wantedBy(cli: Cli, input: Input, { mark }: ServerState): Promise<Wanted> {
  const { defaultKey, readMark } = await import("./tmux-lines.js");
  const before = mark === undefined ? { key: defaultKey, hasBorders: false } : readMark(mark);
  const key = input.option("key") ?? before.key;
  if (!/^(?:[CMS]-){0,2}(?:[A-Za-z0-9]|F\d{1,2})$/.test(key))
    throw new UsageError(`"${harmless(key)}" is not a key for this`, {
      hint: "a letter, a digit or F1 to F12, also with C-, M- or S- in front: hivemind tmux install --key M-h",
    });
  return { key, hasBorders: input.flag("borders") || before.hasBorders, top: topWords(cli) };
}

/** By name if that is what a shell finds: the file may be shared between machines. */
function topWords({ self, env, program: [node, script] }: Cli): string[] {
  const real = realpathSync(script);
  const [found] = onPath(self, env);
  return found !== undefined && realpathSync(found) === real ? [self, "top"] : [node, real, "top"];
}

function refuseTaken(
  state: ServerState,
  { key }: Wanted,
  isOurs: (state: ServerState, key: string) => boolean,
): void {
  const taken = state.keys.get(key);
  if (taken === undefined || isOurs(state, key)) return;
  const free = [..."haguvyejkH"].find((each) => !state.keys.has(each)) ?? "M-h";
  throw new HiveError(`prefix + ${key} is bound already: ${harmless(taken)}`, {
    hint: `choose another key: hivemind tmux install --key ${free}`,
  });
}

async function noteWatcher(cli: Cli, { paths }: Hive): Promise<void> {
  const { watcherOf } = await import("../../watch/process/watcher.js");
  if (watcherOf(paths) === null) cli.out.note(`hivemind: ${watcherHint}`);
}
