// The variables an agent gets on top of the tmux server's environment. Pure.
//
// - An agent knows its role and team, and finds the same stores and tmux server as the process that started it.
// - The standard folder of its client is left unset: if CLAUDE_CONFIG_DIR names it, Claude Code keeps its settings
//   elsewhere. A contradicting variable of the tmux server is removed.

import type { Home } from "../../agents/agent.js";
import type { Role, TeamName } from "../../names/gates.js";

export interface AgentPlace {
  role: Role | null;
  team: TeamName;
  /** The folder of the stores. */
  stores: string;
  /** Where its client keeps its files; absent for a shell. */
  home?: Home | undefined;
  /** The client's folder; null for the one of the environment. */
  folder: string | null;
}

export interface AgentEnvironment {
  variables: Record<string, string>;
  /** Goes before the program. */
  prefix: string[];
}

export function agentEnvironment(env: NodeJS.ProcessEnv, place: AgentPlace): AgentEnvironment {
  const { home } = place;
  const value = home === undefined ? null : homeValue(home, place.folder, env);
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
      ...(home === undefined || value === null ? {} : { [home.variable]: value }),
    },
    prefix: home === undefined || value !== null ? [] : ["env", "-u", home.variable],
  };
}

/** Null if the variable is to be unset. */
function homeValue(
  { variable, folderOf, valueFor }: Home,
  folder: string | null,
  env: NodeJS.ProcessEnv,
): string | null {
  const given = env[variable] || null;
  const isStandard = folder === folderOf(null, { HOME: env.HOME });
  return folder === null || (isStandard && given === null) ? given : valueFor(folder);
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
