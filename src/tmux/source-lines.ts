// Runs many tmux commands in one spawn, each on its own: a failing one does not keep the others from running.
//
// tmux reads them from its stdin as lines of a configuration file, so their number has no limit.

import type { TmuxError } from "./error.js";
import type { Tmux, TmuxCommand } from "./tmux.js";

/** Resolves to the failure of a command whose target is gone, and of a server that is gone; throws any other. */
export async function sourceCommands(
  tmux: Tmux,
  commands: readonly TmuxCommand[],
): Promise<TmuxError | null> {
  const { failure } = await tmux.attempt([["source-file", "-"]], configText(commands));
  if (failure === null || failure.reason === "no-target" || failure.reason === "no-server") return failure;
  throw failure;
}

/** As lines of a configuration file. */
export function configText(commands: readonly TmuxCommand[]): string {
  return commands.map((command) => `${command.map(configWord).join(" ")}\n`).join("");
}

/** One word of a configuration file, read back exactly: nothing in it is expanded. A word has no line break. */
export function configWord(text: string): string {
  if (/[\0\r\n]/.test(text)) throw new Error("a word of a tmux configuration has a line break");
  return /^[\w@.:+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
