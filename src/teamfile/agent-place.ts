// Reads project and agent from a session's name, and finds the agent's line in the team file.

import type { TeamFile } from "./team-file.js";

export interface NamedAgent {
  project: string;
  agent: string;
}

/** Null for a session that no team file named. */
export function namedAgent(sessionName: string | null | undefined): NamedAgent | null {
  const [, project, agent] = /^teamctl:([^:]+):([^:]+)$/.exec(sessionName ?? "") ?? [];
  return project === undefined || agent === undefined ? null : { project, agent };
}

/** In the editors' form `path:line`; null if the file does not have the agent. */
export function placeIn({ path, project, agents }: TeamFile, named: NamedAgent): string | null {
  const found = project === named.project ? agents.find(({ id }) => id === named.agent) : undefined;
  return found === undefined ? null : `${path}:${found.line}`;
}

/** The one project of these sessions, ignoring sessions of none; null for none or several. */
export function projectOf(sessionNames: readonly (string | null)[]): string | null {
  const projects = new Set(sessionNames.flatMap((name) => namedAgent(name)?.project ?? []));
  const [only] = projects;
  return projects.size === 1 ? (only ?? null) : null;
}
