import { basename, dirname, isAbsolute } from "node:path";
import { UsageError } from "../../base/errors.js";
import { onPath } from "../../base/files/on-path.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { limits } from "../../limits.js";
import type { WatchWish } from "../../stores/watch/watch-wish.js";
import { asTyped, type Cli, type Command, type Input, type Option } from "../command.js";

/** What a watcher does besides; `watch install` takes them, too. */
export const workOptions: readonly Option[] = [
  { name: "notify", value: "program", about: "run this program when an agent waits, ends or hits a limit" },
  { name: "reconcile", about: "also apply what `consistency reconcile --apply` would" },
  {
    name: "every",
    value: "seconds",
    about: `look at tmux at least this often (default: ${limits.watchTickSeconds})`,
  },
  { name: "quiet", about: "print only trouble" },
];

export const watch: Command = {
  words: "watch",
  about: "deliver messages, save the teams, warn you",
  options: [
    { name: "background", about: "start the watcher in the background, and return" },
    { name: "stop", about: "stop the watcher of this config folder" },
    { name: "status", about: "whether a watcher runs, since when and how; exit code 1 if none does" },
    ...workOptions,
    { name: "bell", about: "ring the terminal's bell in the same cases" },
    {
      name: "until-server-ends",
      about: "end when no tmux server runs any more; --background implies it",
    },
    { name: "once", about: "do everything once, then end" },
  ],
  examples: [
    "hivemind watch --background",
    "hivemind watch --status",
    "hivemind watch --stop",
    "hivemind watch --notify notify-send --bell",
    "hivemind watch --once --json",
  ],
  notes:
    "The watcher looks at tmux every few seconds, and at once when a store, a hook or a client writes a file. It keeps\n" +
    "roles, sessions and queues up to date, delivers queued messages as soon as they can go, and saves the teams after a\n" +
    "change. If an agent ended without a command, the watcher does not save its team until the agent is back or you type\n" +
    "hivemind save. It restarts a crashed agent whose team file says `restart: on-crash`; each try waits longer, and\n" +
    "after a few tries it gives up. One watcher of a config folder works. Another one looks on, and takes over within\n" +
    "5 seconds when the first ends. In the background the watcher writes hivemind.watch.log in that folder and ends\n" +
    "with its tmux server. After a crash or a reboot `restore`, `up`, `team restart` and every other command that starts\n" +
    "an agent start it again with the same options, until you type `hivemind watch --stop`. So does `watch --background`\n" +
    "without options. `hivemind watch install` starts it at each login instead.\n" +
    "On a host that is in a fleet the watcher stays, and keeps the host's lease: without it that host starts and types\n" +
    "nothing.\n" +
    "--notify runs the program without a shell and passes two arguments, who and what (the form of notify-send). It also\n" +
    "sets HIVEMIND_FACT (waiting, limited, crashed, ended), HIVEMIND_PANE, HIVEMIND_PANE_ID, HIVEMIND_TEAM,\n" +
    "HIVEMIND_ROLE and HIVEMIND_ABOUT. If the program needs options, write a small script. With --json each fact is\n" +
    "one line of JSON. With --once the exit code is 3 if tmux could not be asked.",
  hasJson: true,
  async run(cli, input) {
    refuseTogether(input);
    if (input.flag("stop")) return (await import("./background.js")).stop(cli, input);
    if (input.flag("status")) return (await import("./status.js")).showWatcher(cli, input);
    const wish = wishIn(cli, input);
    const isTyped = asTyped(input, workOptions).length > 0;
    if (input.flag("background"))
      return (await import("./background.js")).start(cli, input, isTyped ? wish : null);
    const { watchFleet } = await import("./watch-fleet.js");
    const tickMs = (wish.everySeconds ?? limits.watchTickSeconds) * 1000;
    return watchFleet(cli, input, { tickMs, program: wish.notify });
  },
};

/** Checked before anything else: what was typed wrong would fail where nobody looks. */
export function wishIn(cli: Cli, input: Input): WatchWish {
  return {
    everySeconds: secondsIn(input),
    notify: programIn(cli, input),
    isReconciling: input.flag("reconcile"),
    isQuiet: input.flag("quiet"),
  };
}

function refuseTogether(input: Input): void {
  const typed = ["background", "stop", "status", "once"].filter((name) => input.flag(name));
  if (typed.length > 1)
    throw new UsageError(`--${typed[0]} and --${typed[1]} exclude each other`, {
      hint: "hivemind watch --help",
    });
}

function secondsIn(input: Input): number | null {
  const typed = input.option("every");
  if (typed === undefined) return null;
  const seconds = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
  if (seconds >= 1 && seconds <= 3600) return seconds;
  throw new UsageError(`--every takes 1 to 3600 seconds, not "${harmless(typed)}"`, {
    hint: "hivemind watch --every 10",
  });
}

function programIn({ env }: Cli, input: Input): string | null {
  const typed = input.option("notify");
  if (typed === undefined) return null;
  const [name, PATH] = isAbsolute(typed) ? [basename(typed), dirname(typed)] : [typed, env.PATH];
  const found = name.includes("/") ? undefined : onPath(name, { ...env, PATH })[0];
  // A line break does not fit into the record of a wish, or into a unit.
  if (found !== undefined && !/[\n\r\0]/.test(found)) return found;
  throw new UsageError(`there is no program "${harmless(typed)}"`, {
    hint: "a name or an absolute path, without arguments: hivemind watch --notify notify-send",
  });
}
