import { exitCodes } from "../../base/errors.js";
import type { FarWorld } from "../../top/run-top.js";
import type { Result } from "../../top/state.js";
import type { Cli, Command } from "../command.js";

export const top: Command = {
  words: "top",
  about: "the fleet on one screen, alive",
  examples: ["hivemind top", "hivemind top --fleet", "tmux display-popup -E -w 95% -h 90% 'hivemind top'"],
  options: [{ name: "fleet", about: "also the agents of other hosts, below this host's own teams" }],
  notes:
    "Teams and agents on the left, those that wait for you first; the chosen agent on the right: its pane, its request,\n" +
    "evidence, lineage, messages, history. ? lists the keys, : takes any command, q leaves. It looks and does what you\n" +
    "press, nothing else: the watcher delivers and saves (w starts it).\n" +
    "With --fleet each other host is a heading: whether it is reached, its agents below it, and how old each row is. Keys\n" +
    "run the commands that you would type for NAME@HOST, so that host has to allow them. Screens stay on their host.",
  async run(cli, input) {
    const far = input.flag("fleet") ? await (await import("./top-far.js")).openFarWorld(cli) : null;
    await showTop(cli, [], far);
  },
};

/** `guidance` are lines that are shown at first. */
export async function showTop(
  cli: Cli,
  guidance: readonly string[],
  far: FarWorld | null = null,
): Promise<void> {
  const { runTop } = await import("../../top/run-top.js");
  const { openTerminal } = await import("../../top/terminal/terminal.js");
  const { runHere, writeInEditor } = await import("../../top/programs.js");
  const hive = await cli.hive();
  const { stdin, stdout } = process;
  const host = { stdin, stdout, env: cli.env, process };
  await runTop({
    hive,
    ...{ guidance, far },
    interrupted: cli.untilInterrupted(),
    openTerminal: (onEvent) => openTerminal(host, onEvent),
    run: (words) => printed(cli, words),
    async runHere(words) {
      await runHere([...cli.program, ...words], cli.env);
      await enterPressed();
    },
    edit: () => writeInEditor(cli.env),
    propose: (text) => proposed(cli, text),
    comeback: () => comebackOf(hive),
    go: (name, lend) => goTo(cli, name, lend),
  });
}

type Lend = <T>(work: () => Promise<T>) => Promise<T>;

/** Inside tmux the client switches; outside, this terminal attaches. */
async function goTo(cli: Cli, name: string, lend: Lend): Promise<boolean> {
  const { selectPane } = await import("../../tmux/pane.js");
  const { switchClient } = await import("../../tmux/server.js");
  const { attachHere } = await import("../../tmux/attach.js");
  const hive = await cli.hive();
  const panes = await hive.panes();
  const pane = hive.paneNamed(panes, name);
  await selectPane(hive.tmux, pane.id);
  const isInside = cli.env.TMUX !== undefined && Number(cli.env.TMUX.split(",").at(-2)) === panes.server?.pid;
  if (isInside && (await switchClient(hive.tmux, pane.id))) return hive.ownPane(panes) === null;
  await lend(() => attachHere(hive.tmux, pane.sessionName));
  return false;
}

/** What a command prints, in the order of its lines. */
async function printed(cli: Cli, words: readonly string[]): Promise<Result> {
  if (words.includes("-")) return { isFailed: true, lines: ["- alone reads a pipe, and top has none"] };
  const { runProgram } = await import("../program.js");
  const { collected } = await import("../collected.js");
  const never = new AbortController().signal;
  const { exitCode, failure, said } = await collected(cli, never, (apart) => runProgram(apart, words));
  const lines = said.map(({ line }) => line);
  if (failure === null)
    return { isFailed: exitCode !== exitCodes.done && exitCode !== exitCodes.queued, lines };
  const { message, hint } = failure;
  return { isFailed: true, lines: [...lines, message, ...(hint === undefined ? [] : [hint])] };
}

async function proposed(cli: Cli, text: string): Promise<readonly string[]> {
  const { candidates, liveValues } = await import("../completion/complete.js");
  const { commands } = await import("../commands.js");
  const { groups } = await import("../groups.js");
  const words = text.replace(/^\s*hivemind\s+/, "").split(/\s+/);
  const found = await candidates(commands, groups, words, liveValues(cli));
  return found.map(({ word }) => word);
}

function comebackOf({ stores }: Awaited<ReturnType<Cli["hive"]>>): string | null {
  return stores.snapshots.list().length > 0 ? "the saved teams" : null;
}

async function enterPressed(): Promise<void> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  await lines.question("[Enter returns to top] ").catch(() => "");
  lines.close();
}
