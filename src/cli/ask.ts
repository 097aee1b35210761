// Questions to a person, where one sits at the terminal.

import { createInterface } from "node:readline/promises";

/** Null where nobody can be asked. Enter alone is a no. */
export async function confirmed(question: string): Promise<boolean | null> {
  const answer = await asking((ask) => ask(`${question} [y/N] `));
  return answer === undefined ? null : /^y(es)?$/i.test(answer?.trim() ?? "");
}

/** Shows the question; null when the person left instead of answering. */
export type Ask = (question: string) => Promise<string | null>;

/** Undefined where nobody can be asked; `work` asks one question after the other. */
export async function asking<T>(work: (ask: Ask) => Promise<T>): Promise<T | undefined> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  const lines = createInterface({ input: stdin, output: stderr });
  const left = new Promise<null>((leave) => lines.once("close", () => leave(null)));
  try {
    return await work(async (question) => {
      const answer = await Promise.race([lines.question(question), left]);
      // Ctrl-C or Ctrl-D leave the cursor behind the question.
      if (answer === null) stderr.write("\n");
      return answer;
    });
  } finally {
    lines.close();
  }
}
