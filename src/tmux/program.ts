// Starting programs in panes.
//
// [TP1] A program is started by its argv, never through a shell, and its pane's options are set before it runs:
//       even one that ends at once leaves its pane behind.
// [TP2] What is asked for in the environment is there; everything else is the tmux server's, not the caller's (but PATH,
//       which tmux takes from the caller).
// [TP3] A folder that is not there is refused: tmux would start in the home folder without a word.
// [TP4] A pane that starts anew without a program has the user's shell, as a new pane has: by itself tmux would run again
//       what ran there last.

import { statSync } from "node:fs";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { shellWord } from "../base/shell-word.js";
import type { PaneId } from "../names/gates.js";
import { fieldsOf } from "./answer.js";
import { literal } from "./quote.js";
import type { Tmux, TmuxCommand } from "./tmux.js";

/** What a new pane runs. */
export interface PaneStart {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Without it: the user's shell. */
  argv?: readonly string[];
}

/** Keeps a new pane open until `startProgram`: quiet, and no shell whose start-up files would run for nothing. */
export const placeholder: readonly string[] = ["cat"];

export interface ProgramStart {
  argv: readonly string[];
  cwd?: string;
  env: Readonly<Record<string, string>>;
  remainOnExit: boolean;
}

/** Replaces whatever the pane runs. */
export async function startProgram(tmux: Tmux, pane: PaneId, start: ProgramStart): Promise<void> {
  const remain = start.remainOnExit ? "on" : "off";
  await tmux.run(["set-option", "-p", "-t", pane, "remain-on-exit", remain], respawn(pane, start));
}

/** What runs there leaves its pane behind when it ends. */
export async function keepEnded(tmux: Tmux, pane: PaneId): Promise<void> {
  await tmux.run(["set-option", "-p", "-t", pane, "remain-on-exit", "on"]);
}

/**
 * tmux 3.3a at times misses the end of a pane's program until another child of it ends: here is one that does. It may
 * miss that one too, so nobody waits for it: who needs to know asks again.
 */
export async function noticeEnds(tmux: Tmux): Promise<void> {
  await tmux.attempt([["run-shell", "-b", "true"]]);
}

/** Starts the pane anew with its options as they are. */
export async function respawnPane(tmux: Tmux, pane: PaneId, start: PaneStart): Promise<void> {
  await tmux.run(respawn(pane, { ...start, argv: start.argv ?? (await userShell(tmux, pane)) }));
}

/** The end of a tmux command that makes or refills a pane. */
export function startArguments({ cwd, env = {}, argv }: PaneStart): string[] {
  const folder = cwd === undefined ? [] : ["-c", literal(existing(cwd))];
  const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  // tmux puts the caller's PATH over the one given with -e, but `env` has the last word.
  const path = env.PATH === undefined ? [] : [`PATH=${env.PATH}`];
  // A single word would go through a shell. With `env` in front there are two, and a program that cannot be
  // started is named in the pane, where tmux would leave it blank.
  const program = argv === undefined ? [] : ["--", "env", ...path, ...argv];
  return [...folder, ...variables, ...program];
}

function respawn(pane: PaneId, start: PaneStart): TmuxCommand {
  return ["respawn-pane", "-k", "-t", pane, ...startArguments(start)];
}

/** What tmux starts in a new pane of the same tmux session. */
async function userShell(tmux: Tmux, pane: PaneId): Promise<string[]> {
  const asked = "#{default-shell}\x1f#{default-command}";
  const printed = (await tmux.run(["display-message", "-p", "-t", pane, asked])).replace(/\n$/, "");
  const [shell, command] = fieldsOf(printed, "display-message", [/./, /^/]) as [string, string];
  return command === "" ? [shell, "-l"] : [shell, "-c", command];
}

function existing(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new HiveError(`there is no folder ${harmless(folder)}`, { hint: `mkdir -p ${shellWord(folder)}` });
}
