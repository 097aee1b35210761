// Commands that also take the name of something on another host.

import type { ExitCode } from "../../base/errors.js";
import type { Argument, Cli, Command, Input } from "../command.js";
import { hereOrThere } from "./open-far.js";
import type { HowShown } from "./show-fleet.js";

/** The same command, which asks another host for `NAME@HOST`. That host must allow it. */
export function alsoFar(command: Command): Command {
  return {
    ...command,
    args: (command.args ?? []).map((each) => (each.name === "name" ? takingHosts(each) : each)),
    run: (cli, input) =>
      hereOrThere<ExitCode | undefined>(cli, input, "name", {
        here: async (own) => (await command.run(cli, own)) || undefined,
        there: async (far) => (await import("./act-far.js")).actFar(cli, input, command, far),
      }),
  };
}

/** For commands that ask the other host themselves. */
export function takingHosts(argument: Argument): Argument {
  return { ...argument, host: "taken" };
}

/** A read with `--fleet`, or of `NAME@HOST`; null if it is of this host only. */
export async function farRead(
  cli: Cli,
  input: Input,
  command: Command,
  argument: string | null,
  how: HowShown = "under its name",
): Promise<ExitCode | Input> {
  if (input.flag("fleet")) return (await import("./show-fleet.js")).showFleet(cli, input, command);
  if (argument === null) return input;
  return hereOrThere<ExitCode | Input>(cli, input, argument, {
    here: async (own) => own,
    there: async (far) =>
      (await import("./show-fleet.js")).showHost(cli, input, command, { argument, far, how }),
  });
}
