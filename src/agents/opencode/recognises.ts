// Which processes are OpenCode with a person's terminal: the agent itself.
//
// - One native process draws the screen, holds the conversation and serves HTTP if it was started with a port.
// - `run`, `serve`, `acp` and the others serve a program, or do one thing and end. `attach` shows a conversation of
//   another process.

import type { ProcessInfo } from "../../base/system/process.js";
import { commandWords, isProgram } from "./words.js";

export function recognises({ args }: ProcessInfo): boolean {
  if (!isProgram(args[0] ?? "")) return false;
  const { rest, options } = commandWords(args);
  if (options.has("--help") || options.has("--version")) return false;
  return !subcommands.has(rest[0] ?? "");
}

/** Any other first word is the folder to start in. */
const subcommands = new Set(
  (
    "completion acp mcp attach run debug providers auth agent upgrade uninstall serve web models stats export import " +
    "github pr session plugin plug db"
  ).split(" "),
);
