// Words of a start that every client reads in the same way: the value of an option, and the first message.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { limits } from "../limits.js";

/** The option and its value, or nothing. A value that would become another word of the command line is refused. */
export function option(name: string, value: string | null | undefined): string[] {
  if (value === null || value === undefined) return [];
  if (value === "" || value.startsWith("-") || /[\u0000-\u001f\u007f-\u009f]/.test(value))
    throw new HiveError(`refused "${harmless(value)}": it cannot be the value of ${name}`);
  return [name, value];
}

/** The prompt as it is, if a command line can carry it. */
export function checkedPrompt(prompt: string): string {
  if (prompt.trim() === "") throw new HiveError("refused: the prompt is empty");
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(prompt))
    throw new HiveError("refused: the prompt has control characters");
  const bytes = Buffer.byteLength(prompt);
  if (bytes <= limits.promptBytes) return prompt;
  throw new HiveError(
    `refused: the prompt has ${bytes} bytes; the limit at a start is ${limits.promptBytes}`,
    { hint: "put it in a file of the project, and use the prompt: Read <file>" },
  );
}
