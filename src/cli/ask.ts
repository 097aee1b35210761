// Questions to a person at the terminal.
//
// A command acts at once on what was typed: an agent, a session, for `down` the agents of the team file. It asks
// before it ends or forgets anything else; `--yes` answers in advance.

import { AsyncLocalStorage } from "node:async_hooks";
import { exitCodes, HiveError } from "../base/errors.js";
import type { Input } from "./command.js";

interface Beyond {
  /** What else would end or be forgotten: "end 3 running agents of web4team". Empty: no question. */
  would: readonly string[];
  /** The command as typed, without `hivemind` and --yes. */
  command: string;
}

/** Returns if the command may go on. A no, or no terminal to ask at, is an error with exit code 1. */
export async function confirmOrRefuse(input: Input, { would, command }: Beyond): Promise<void> {
  if (would.length === 0 || input.flag("yes")) return;
  const all = would.join(", and ");
  const answer = await confirmed(`This would ${all}. Go on?`);
  if (answer === true) return;
  if (answer === false) throw new HiveError("nothing was changed", { exitCode: exitCodes.refused });
  throw new HiveError(`this would ${all}`, { hint: `hivemind ${command} --yes` });
}

/** Null without a terminal to ask at. Enter alone means no. */
export async function confirmed(question: string): Promise<boolean | null> {
  const answer = await asking((ask) => ask(`${question} [y/N] `));
  return answer === undefined ? null : /^y(es)?$/i.test(answer?.trim() ?? "");
}

const apart = new AsyncLocalStorage<true>();

/** Runs a command for somebody who is not at this terminal: it asks nothing here, and reads no stdin. */
export function apartFromTerminal<T>(work: () => Promise<T>): Promise<T> {
  return apart.run(true, work);
}

/** Whether the running command belongs to somebody who is not at this terminal. */
export function isApart(): boolean {
  return apart.getStore() === true;
}

/** Asks one question; null if the person pressed Ctrl-C or Ctrl-D. */
export type Ask = (question: string) => Promise<string | null>;

/** Runs `work`, which asks one question after the other. Undefined without a terminal to ask at. */
export async function asking<T>(work: (ask: Ask) => Promise<T>): Promise<T | undefined> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY || isApart()) return undefined;
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: stdin, output: stderr });
  const left = new Promise<null>((leave) => lines.once("close", () => leave(null)));
  try {
    return await work(async (question) => {
      const answer = await Promise.race([lines.question(question), left]);
      // Ctrl-C and Ctrl-D leave the cursor on the line of the question.
      if (answer === null) stderr.write("\n");
      return answer;
    });
  } finally {
    lines.close();
  }
}
