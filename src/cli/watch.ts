import { basename, dirname, isAbsolute } from "node:path";
import { UsageError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { onPath } from "../base/on-path.js";
import { limits } from "../limits.js";
import type { Cli } from "./cli.js";
import type { Command, Input } from "./command.js";

export const watch: Command = {
  words: "watch",
  about: "keep everything up to date, send what waits, and tell when an agent needs you",
  options: [
    { name: "notify", value: "program", about: "run this for each agent that waits, ends or hits a limit" },
    { name: "bell", about: "ring the terminal's bell for the same" },
    { name: "reconcile", about: "also apply what `consistency reconcile --apply` would" },
    {
      name: "every",
      value: "seconds",
      about: `look at least so often; ${limits.watchTickSeconds} without it`,
    },
    { name: "once", about: "do once what there is to do, then end" },
    { name: "quiet", about: "print nothing but trouble" },
  ],
  examples: ["hivemind watch", "hivemind watch --notify notify-send --bell", "hivemind watch --once --json"],
  notes:
    "Wakes when a store, a hook or a client writes, and looks at tmux in between. Brings roles, sessions and queues up\n" +
    "to date, sends what waits for idle agents, and saves the fleet when somebody changed it. A team of which an agent\n" +
    "went unasked is not saved until it is back, or until you save by hand: hivemind teams save. A crashed agent of a\n" +
    "team file with `restart: on-crash` is brought back, each time after a longer rest, and after some tries no more.\n" +
    "The program of --notify gets two arguments, who and what (as notify-send takes them), and HIVEMIND_FACT (waiting,\n" +
    "limited, crashed, ended), HIVEMIND_PANE, HIVEMIND_PANE_ID, HIVEMIND_TEAM, HIVEMIND_ROLE, HIVEMIND_ABOUT. It is run\n" +
    "without a shell; for options of its own write a small script. With --json each fact is one line of JSON.\n" +
    "With --once the exit code is 3 where nothing could be looked at.",
  hasJson: true,
  async run(cli, input) {
    const tickMs = secondsIn(input) * 1000;
    const program = programIn(cli, input);
    const interrupted = cli.untilInterrupted();
    const hive = await cli.hive();
    const { watchFleet } = await import("./watch-fleet.js");
    return watchFleet(cli, hive, {
      tickMs,
      program,
      interrupted,
      isOnce: input.flag("once"),
      isQuiet: input.flag("quiet"),
      isJson: input.flag("json"),
      rings: input.flag("bell"),
      isReconciling: input.flag("reconcile"),
    });
  },
};

function secondsIn(input: Input): number {
  const typed = input.option("every") ?? String(limits.watchTickSeconds);
  const seconds = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
  if (seconds >= 1 && seconds <= 3600) return seconds;
  throw new UsageError(`--every "${harmless(typed)}" is no number of seconds from 1 to 3600`, {
    hint: "hivemind watch --every 10",
  });
}

/** Before anything else: a program that is not there would tell nobody. */
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
