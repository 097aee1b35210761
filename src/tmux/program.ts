// Starts programs in panes.
//
// [TP1] A program is started by its argv, never through a shell, and its pane's options are set before it runs: even
//       one that ends at once leaves its pane behind.
// [TP2] The requested variables are in its environment; all others are the tmux server's, not the caller's (except
//       PATH, which tmux takes from the caller).
// [TP3] A missing folder is refused: tmux would silently start in the home folder.
// [TP4] A pane that restarts without a program gets the user's shell, like a new pane: by default tmux would repeat
//       the last program.

import { statSync } from "node:fs";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { shellWord } from "../base/text/shell-word.js";
import type { PaneId } from "../names/gates.js";
import { fieldsOf, newMark } from "./answer.js";
import { literal } from "./quote.js";
import type { Tmux, TmuxCommand } from "./tmux.js";

/** What a new pane runs. */
export interface PaneStart {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Default: the user's shell. */
  argv?: readonly string[];
}

/** Keeps a new pane open until `startProgram`: quiet, and unlike a shell it runs no start-up files. */
export const placeholder: readonly string[] = ["cat"];

export type ProgramStart = PaneStart & Required<Pick<PaneStart, "argv" | "env">> & { remainOnExit: boolean };

/** Replaces the pane's program. */
export async function startProgram(tmux: Tmux, pane: PaneId, start: ProgramStart): Promise<void> {
  const remain = start.remainOnExit ? "on" : "off";
  await tmux.run(["set-option", "-p", "-t", pane, "remain-on-exit", remain], respawn(pane, start));
}

/** The pane stays open when its program ends. */
export async function keepEnded(tmux: Tmux, pane: PaneId): Promise<void> {
  await tmux.run(["set-option", "-p", "-t", pane, "remain-on-exit", "on"]);
}

/**
 * tmux 3.3a sometimes misses the end of a pane's program until another of its children ends, so this starts one that
 * ends. tmux may miss that one too, so nothing waits for it: callers list the panes again.
 */
export async function noticeEnds(tmux: Tmux): Promise<void> {
  await tmux.attempt([["run-shell", "-b", "true"]]);
}

/** Restarts the pane with its options unchanged. */
export async function respawnPane(tmux: Tmux, pane: PaneId, start: PaneStart): Promise<void> {
  await tmux.run(respawn(pane, { ...start, argv: start.argv ?? (await userShell(tmux, pane)) }));
}

/** The end of a tmux command that creates or refills a pane. */
export function startArguments({ cwd, env = {}, argv }: PaneStart): string[] {
  const folder = cwd === undefined ? [] : ["-c", literal(existing(cwd))];
  const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  // tmux puts the caller's PATH over the one given with -e, but `env` comes last.
  const path = env.PATH === undefined ? [] : [`PATH=${env.PATH}`];
  // A single word would go through a shell. With `env` in front there are two. If the program cannot be started,
  // `env` prints its name in the pane, which tmux would leave blank.
  const program = argv === undefined ? [] : ["--", "env", ...path, ...argv];
  return [...folder, ...variables, ...program];
}

function respawn(pane: PaneId, start: PaneStart): TmuxCommand {
  return ["respawn-pane", "-k", "-t", pane, ...startArguments(start)];
}

/** What tmux starts in a new pane of the same tmux session. */
async function userShell(tmux: Tmux, pane: PaneId): Promise<string[]> {
  const mark = newMark();
  const asked = `#{default-shell}${mark}#{default-command}`;
  const printed = (await tmux.run(["display-message", "-p", "-t", pane, asked])).replace(/\n$/, "");
  const [shell, command] = fieldsOf(printed, mark, "display-message", [/./, /^/]) as [string, string];
  return command === "" ? [shell, "-l"] : [shell, "-c", command];
}

function existing(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new HiveError(`there is no folder ${harmless(folder)}`, { hint: `mkdir -p ${shellWord(folder)}` });
}
