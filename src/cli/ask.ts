// One question to a person, where one sits at the terminal.

import { createInterface } from "node:readline/promises";

/** Null where nobody can be asked. Enter alone is a no. */
export async function confirmed(question: string): Promise<boolean | null> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return null;
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await Promise.race([
      lines.question(`${question} [y/N] `),
      new Promise<null>((close) => lines.once("close", () => close(null))),
    ]);
    // Ctrl-C or Ctrl-D leave the cursor behind the question.
    if (answer === null) stderr.write("\n");
    return /^y(es)?$/i.test(answer?.trim() ?? "");
  } finally {
    lines.close();
  }
}
