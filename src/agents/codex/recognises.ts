// Which processes are Codex with a person's terminal: the agent itself.
//
// - Under Node 20 npm's script stays as the parent of the native program. Only the native one holds the
//   conversation, so the script is not the agent.
// - `exec`, `queue`, `app-server` and the others serve a program, or do one thing and end.
// - `codex agents` shows the list of a daemon's conversations. It is recognised: its pane can show one of them.

import { basename } from "node:path";
import type { ProcessInfo } from "../../base/system/process.js";
import { scriptOf } from "../script.js";
import { commandWords, conversations } from "./words.js";

export function recognises({ command, args }: ProcessInfo): boolean {
  if (scriptOf(args) !== null || !(command === "codex" || basename(args[0] ?? "") === "codex")) return false;
  const words = commandWords(["codex", ...args.slice(1)])!;
  if (words.options.has("--help") || words.options.has("--version")) return false;
  const { subcommand } = words;
  return subcommand === null || subcommand === "agents" || conversations.has(subcommand);
}
