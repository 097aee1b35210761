// The variables an agent gets on top of the tmux server's environment. Pure.
//
// - An agent knows its role and team, and finds the same stores and tmux server as the process that started it.
// - The standard config folder is left unset: if CLAUDE_CONFIG_DIR names it, the client keeps its settings
//   elsewhere. A contradicting variable of the tmux server is removed.

import { join } from "node:path";
import type { Role, TeamName } from "../../names/gates.js";

export interface AgentPlace {
  role: Role | null;
  team: TeamName;
  /** The folder of the stores. */
  stores: string;
  /** The client's config folder; null for the one of the environment. */
  folder: string | null;
}

export interface AgentEnvironment {
  variables: Record<string, string>;
  /** Goes before the program. */
  prefix: string[];
}

export function agentEnvironment(env: NodeJS.ProcessEnv, place: AgentPlace): AgentEnvironment {
  const standard = env.HOME === undefined ? null : join(env.HOME, ".claude");
  const given = env.CLAUDE_CONFIG_DIR || null;
  const folder =
    place.folder === null || (place.folder === standard && given === null) ? given : place.folder;
  const ours = Object.entries(env).filter(
    ([name, value]) => isOurs(name) && value !== undefined && value !== "",
  );
  return {
    variables: {
      ...(Object.fromEntries(ours) as Record<string, string>),
      ...(env.PATH === undefined ? {} : { PATH: env.PATH }),
      HIVEMIND_TEAM: place.team,
      HIVEMIND_CONFIG_DIR: place.stores,
      ...(place.role === null ? {} : { HIVEMIND_ROLE: place.role }),
      ...(folder === null ? {} : { CLAUDE_CONFIG_DIR: folder }),
    },
    prefix: folder === null ? ["env", "-u", "CLAUDE_CONFIG_DIR"] : [],
  };
}

const storeVariables: ReadonlySet<string> = new Set([
  "TRON_MONITOR_ENV",
  "OTMUX_SIZE_LOCKS",
  "OTMUX_LAYOUT_DIR",
]);

/** The caller's own role and team do not apply to the new agent. */
function isOurs(name: string): boolean {
  if (name === "HIVEMIND_ROLE" || name === "HIVEMIND_TEAM") return false;
  return name.startsWith("HIVEMIND_") || storeVariables.has(name);
}
