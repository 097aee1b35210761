// What every command gets: the outside of the program. Heavy parts are loaded when a command asks for them.

import type { Hive } from "../hive.js";
import type { Output } from "./output.js";

/** Why the signal below was aborted, where nobody reads the output any more. */
export const outputLost = "output lost";

export interface Cli {
  env: NodeJS.ProcessEnv;
  out: Output;
  /** How this command was called, for hints that can be pasted. */
  self: string;
  /** Opens stores, tmux and the event bus, once. */
  hive(): Promise<Hive>;
  /** From the first call on, Ctrl-C aborts this signal instead of ending the process: long work stops at a whole step. */
  untilInterrupted(): AbortSignal;
}
