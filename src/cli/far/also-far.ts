// Commands that also take the name of something on another host.

import type { ExitCode } from "../../base/errors.js";
import type { Cli, Command, Input } from "../command.js";
import { hereOrThere } from "./open-far.js";

/** The same command, which asks another host for `NAME@HOST`. That host must allow it. */
export function alsoFar(command: Command): Command {
  return {
    ...command,
    run: (cli, input) =>
      hereOrThere<ExitCode | undefined>(cli, input, "name", {
        here: async (own) => (await command.run(cli, own)) || undefined,
        there: async (far) => (await import("./act-far.js")).actFar(cli, input, command, far),
      }),
  };
}

/** A read with `--fleet`, or of `NAME@HOST`; null if it is of this host only. */
export async function farRead(
  cli: Cli,
  input: Input,
  command: Command,
  argument: string | null,
): Promise<ExitCode | Input> {
  if (input.flag("fleet")) return (await import("./show-fleet.js")).showFleet(cli, input, command);
  if (argument === null) return input;
  return hereOrThere<ExitCode | Input>(cli, input, argument, {
    here: async (own) => own,
    there: async (far) => (await import("./show-fleet.js")).showHost(cli, input, command, argument, far),
  });
}
