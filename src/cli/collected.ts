// Runs a command inside this process, for a part of the program that shows its result in its own way. The command asks
// nothing at this terminal, and prints nothing there.

import { type ExitCode, exitCodes, HiveError } from "../base/errors.js";
import { apartFromTerminal } from "./ask.js";
import type { Cli } from "./command.js";
import { openOutput } from "./output.js";

export interface Collected {
  exitCode: ExitCode;
  /** The object that `--json` prints; null if the command printed lines. */
  value: object | null;
  /** Its lines in the order in which it printed them. Notes would be on stderr. */
  said: readonly { line: string; isNote: boolean }[];
  /** What it could not do; null if it only has an exit code, or succeeded. */
  failure: HiveError | null;
}

/** Any error but a HiveError is a bug, and is thrown. */
export async function collected(
  cli: Cli,
  interrupted: AbortSignal,
  run: (cli: Cli) => Promise<ExitCode | undefined> | Promise<void>,
): Promise<Collected> {
  const said: { line: string; isNote: boolean }[] = [];
  const stream = (isNote: boolean) => {
    const begun = () => {
      said.push({ line: "", isNote });
      return said.at(-1)!;
    };
    // A line may come in several pieces.
    let open: { line: string } | null = null;
    return {
      write(text: string): void {
        for (const [at, piece] of text.split("\n").entries()) {
          if (at > 0) {
            open ??= begun();
            open = null;
          }
          if (piece === "") continue;
          open ??= begun();
          open.line += piece;
        }
      },
    };
  };
  let value: object | null = null;
  const out = {
    ...openOutput(cli.env, stream(false), stream(true)),
    json(given: object) {
      value = { version: 1, ...given };
    },
  };
  const own: Cli = { ...cli, out, untilInterrupted: () => interrupted };
  try {
    const exitCode = (await apartFromTerminal(async () => run(own))) || exitCodes.done;
    return { exitCode, value, said, failure: null };
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
    return { exitCode: error.exitCode, value, said, failure: error };
  }
}
