// Gives a program its password without an argument that has it: a shell reads it from a private file, and becomes the
// program.

import type { Agent } from "../../agents/agent.js";
import type { SessionId } from "../../names/gates.js";
import type { Stores } from "../../stores/stores.js";

/** Goes before the program; empty if its kind needs no password. Each call makes a new password. */
export function secretPrefix({ keys }: Pick<Stores, "keys">, { start }: Agent, session: SessionId): string[] {
  if (start?.secret === undefined) return [];
  return ["sh", "-c", `export ${start.secret}="$(cat "$0")" && exec "$@"`, keys.renew(session)];
}
