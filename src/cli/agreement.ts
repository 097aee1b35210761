// One rule for what asks before acting: a command acts at once on what was typed (an agent, a session, the file's agents of
// `down`). It asks before it ends or forgets anything else. `--yes` is the answer given beforehand.

import { exitCodes, HiveError } from "../base/errors.js";
import type { Input } from "./command.js";

export interface Beyond {
  /** What else would end or be forgotten: "end 3 running agents of web4team". Empty: nothing, and nobody is asked. */
  would: readonly string[];
  /** What was typed, behind `hivemind`, without --yes. */
  command: string;
}

/** Returns where it may go on. A no is an error with exit code 1, as is a place where nobody can be asked. */
export async function agreedTo(input: Input, { would, command }: Beyond): Promise<void> {
  if (would.length === 0 || input.flag("yes")) return;
  const all = would.join(", and ");
  const { confirmed } = await import("./ask.js");
  const answer = await confirmed(`This would ${all}. Go on?`);
  if (answer === true) return;
  if (answer === false) throw new HiveError("nothing was changed", { exitCode: exitCodes.refused });
  throw new HiveError(`this would ${all}`, { hint: `hivemind ${command} --yes` });
}
