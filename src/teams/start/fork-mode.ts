// The permission mode of a fork. The client would start it in its default mode, whatever its parent may do.
//
// [PM1] A fork is in its parent's mode as it is now: the last one in its conversation, else the one it was started with.
//       A client may record a change with the next message only. So a mode on its screen counts if it allows less.
// [PM2] A fork never bypasses all checks unless a person asked for that. Then, and if the parent's mode is unknown, it
//       asks a person about each deed, and the command says so.

import type { Agent } from "../../agents/agent.js";
import type { Fleet } from "../../fleet/observe.js";
import type { SessionId } from "../../names/gates.js";

export interface ForkMode {
  /** Null for a kind without modes. */
  mode: string | null;
  /** Why it is not its parent's. */
  why: string | null;
}

/** `shown` is the mode on the parent's screen, if it runs and shows one. */
export function forkMode(
  { permissions }: Pick<Agent, "permissions">,
  parent: SessionId,
  { panes, sessions, index }: Pick<Fleet, "panes" | "sessions" | "index">,
  shown: string | null,
): ForkMode {
  if (permissions === undefined) return { mode: null, why: null };
  const written = (index.byId.get(parent) ?? []).map(({ path }) => permissions.modeIn(path));
  const running = panes.filter(({ id }) => sessions.get(id)?.uuid === parent);
  const asked = running.map(({ process }) => permissions.modeAsked(process?.args ?? []));
  const said = [...written, ...asked].find((mode) => mode !== null) ?? null;
  const now = narrower(said, shown, permissions.modes);
  if (now === null) return { mode: permissions.asking, why: "its parent's permission mode is unknown" };
  return now === permissions.bypassing
    ? { mode: permissions.asking, why: "its parent bypasses all permission checks" }
    : { mode: now, why: null };
}

/** A mode that is not in the list may allow anything. */
function narrower(said: string | null, shown: string | null, modes: readonly string[]): string | null {
  if (said === null || shown === null) return said ?? shown;
  const rank = (mode: string) => (modes.includes(mode) ? modes.indexOf(mode) : modes.length);
  return rank(shown) < rank(said) ? shown : said;
}
