// Agents of a team file whose session is no longer the derived one (`/clear`, `/branch`), and which it is.

import type { Role, SessionId } from "../names/gates.js";
import type { Report } from "./error.js";
import { readProject, readRole, readSession, splitFields } from "./fields.js";
import { type RowFile, rowFile } from "./row-file.js";
import type { RowFormat } from "./row-lines.js";

export interface MovedRow {
  project: string;
  agent: Role;
  uuid: SessionId;
}

export function openMoved(path: string, report?: Report): RowFile<MovedRow> {
  return rowFile(path, format, report);
}

const format: RowFormat<MovedRow> = {
  rule: "a row is project:agent|uuid",
  parse(line) {
    const fields = splitFields(line, 2);
    const [projectText, agentText, ...more] = (fields?.[0] ?? "").split(":");
    const project = readProject(projectText);
    const agent = readRole(agentText);
    const uuid = readSession(fields?.[1]);
    if (project === null || agent === null || more.length > 0 || uuid === null) return this.rule;
    return { project, agent, uuid };
  },
  format: ({ project, agent, uuid }) => `${project}:${agent}|${uuid}`,
  key: ({ project, agent }) => `${project}:${agent}`,
};
