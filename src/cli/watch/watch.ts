import { basename, dirname, isAbsolute } from "node:path";
import { UsageError } from "../../base/errors.js";
import { onPath } from "../../base/files/on-path.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { limits } from "../../limits.js";
import type { Cli, Command, Input } from "../command.js";

export const watch: Command = {
  words: "watch",
  about: "deliver messages, save the teams, warn you",
  options: [
    { name: "background", about: "start the watcher in the background, and return" },
    { name: "stop", about: "stop the watcher of this config folder" },
    { name: "notify", value: "program", about: "run this program when an agent waits, ends or hits a limit" },
    { name: "bell", about: "ring the terminal's bell in the same cases" },
    { name: "reconcile", about: "also apply what `consistency reconcile --apply` would" },
    {
      name: "every",
      value: "seconds",
      about: `look at tmux at least this often (default: ${limits.watchTickSeconds})`,
    },
    { name: "until-server-ends", about: "end when the tmux server ends; --background implies it" },
    { name: "once", about: "do everything once, then end" },
    { name: "quiet", about: "print only trouble" },
  ],
  examples: [
    "hivemind watch --background",
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
    "with its tmux server. On a host that is in a fleet it stays, and keeps the host's lease: without it that host starts\n" +
    "and types nothing.\n" +
    "--notify runs the program without a shell and passes two arguments, who and what (the form of notify-send). It also\n" +
    "sets HIVEMIND_FACT (waiting, limited, crashed, ended), HIVEMIND_PANE, HIVEMIND_PANE_ID, HIVEMIND_TEAM,\n" +
    "HIVEMIND_ROLE and HIVEMIND_ABOUT. If the program needs options, write a small script. With --json each fact is\n" +
    "one line of JSON. With --once the exit code is 3 if tmux could not be asked.",
  hasJson: true,
  async run(cli, input) {
    const [tickMs, program] = [secondsIn(input) * 1000, programIn(cli, input)];
    refuseTogether(input);
    if (input.flag("stop")) return (await import("./background.js")).stop(cli, input);
    if (input.flag("background")) return (await import("./background.js")).start(cli, input, program);
    const { watchFleet } = await import("./watch-fleet.js");
    return watchFleet(cli, input, { tickMs, program });
  },
};

function refuseTogether(input: Input): void {
  const typed = ["background", "stop", "once"].filter((name) => input.flag(name));
  if (typed.length > 1)
    throw new UsageError(`--${typed[0]} and --${typed[1]} exclude each other`, {
      hint: "hivemind watch --help",
    });
}

function secondsIn(input: Input): number {
  const typed = input.option("every") ?? String(limits.watchTickSeconds);
  const seconds = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
  if (seconds >= 1 && seconds <= 3600) return seconds;
  throw new UsageError(`--every takes 1 to 3600 seconds, not "${harmless(typed)}"`, {
    hint: "hivemind watch --every 10",
  });
}

/** Checked before anything else: a program that does not exist would warn nobody. */
function programIn({ env }: Cli, input: Input): string | null {
  const typed = input.option("notify");
  if (typed === undefined) return null;
  const [name, PATH] = isAbsolute(typed) ? [basename(typed), dirname(typed)] : [typed, env.PATH];
  const found = name.includes("/") ? undefined : onPath(name, { ...env, PATH })[0];
  if (found !== undefined) return found;
  throw new UsageError(`there is no program "${harmless(typed)}"`, {
    hint: "a name or an absolute path, without arguments: hivemind watch --notify notify-send",
  });
}
