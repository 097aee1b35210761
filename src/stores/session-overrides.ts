// Agents of a team file whose session differs from the one derived from their name (after `/clear` or `/branch`),
// with the session to resume.
//
// Only a change away from the agent's own session counts: a change of another agent with that role does not. An
// agent that is back in its derived session has no row.

import type { AgentId } from "../names/agent-id.js";
import type { Role, SessionId } from "../names/gates.js";
import { deriveSessionId } from "../names/session-id.js";
import { readProject, readRole, readSession } from "./file/fields.js";
import type { RowFormat } from "./file/row-lines.js";
import type { Stores } from "./stores.js";

export interface SessionOverride {
  project: string;
  agent: Role;
  uuid: SessionId;
}

export const overrideFormat: RowFormat<SessionOverride> = {
  rule: "a row is project:agent|uuid",
  parse(line) {
    const [, projectText = "", agentText = "", uuidText = ""] =
      /^([^:|]*):([^:|]*)\|([^|]*)$/.exec(line) ?? [];
    const [project, agent, uuid] = [readProject(projectText), readRole(agentText), readSession(uuidText)];
    return project && agent && uuid ? { project, agent, uuid } : this.rule;
  },
  format: ({ project, agent, uuid }) => `${project}:${agent}|${uuid}`,
  key: ({ project, agent }) => `${project}:${agent}`,
};

export async function recordSessionOverride(
  { roster, projects, sessionOverrides }: Pick<Stores, "roster" | "projects" | "sessionOverrides">,
  change: { agent?: AgentId; old: SessionId | null; new: SessionId },
): Promise<void> {
  const agent = roster.read().agents.find(({ id }) => id === change.agent)?.role ?? null;
  const known = agent === null ? [] : projects.read().rows;
  if (agent === null || known.length === 0) return;
  await sessionOverrides.update((rows) =>
    known.reduce(
      (all, { project }) => withOverride(all, { project, agent, uuid: change.new }, change.old),
      rows,
    ),
  );
}

/** The rows afterwards; unchanged if the agent was not in `old`. */
export function withOverride(
  rows: readonly SessionOverride[],
  now: SessionOverride,
  old: SessionId | null,
): readonly SessionOverride[] {
  const { project, agent } = now;
  const derived = deriveSessionId(project, agent);
  const known = rows.find((row) => row.project === project && row.agent === agent);
  if ((known?.uuid ?? derived) !== old) return rows;
  const others = rows.filter((row) => row !== known);
  return now.uuid === derived ? others : [...others, now];
}
