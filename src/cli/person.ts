// The person at this terminal: some commands decide something, and only a person may.

import { HiveError } from "../base/errors.js";
import type { Panes } from "../fleet/panes.js";
import type { Hive } from "../hive/hive.js";
import type { Cli } from "./command.js";

export interface Person {
  name: string;
  /** The terminal and its pane, `tmux` for a key binding, `ssh`, or `web` and an address. */
  from: string;
}

/** Only a person may decide this: refuses agents, and processes that nothing connects with a person. */
export function needPerson(
  { env, person }: Pick<Cli, "env" | "person">,
  hive: Pick<Hive, "decider">,
  panes: Panes,
): Person {
  if (person !== undefined) return person;
  const decider = hive.decider(panes);
  if (decider.kind === "person") return { name: personIn(env), from: decider.from };
  const [why, hint] =
    decider.kind === "agent"
      ? ["an agent runs it", "type it in your own shell"]
      : ["nothing shows that a person runs it", "type it in a terminal"];
  throw new HiveError(`refused: only a person may decide this, and ${why}`, { hint });
}

/** A name for the person at this terminal, as a row can hold it. */
export function personIn(env: NodeJS.ProcessEnv): string {
  return env.USER?.replace(/[^\w.-]/g, "_") || "somebody";
}
