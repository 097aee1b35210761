// How each agent was started: its folder, and its settings in the team file. `up` compares those with the file.

import { type AgentId, isAgentId } from "../names/agent-id.js";
import { isField } from "../names/gates.js";
import type { RowFormat } from "./file/row-lines.js";

export interface LaunchRow {
  agent: AgentId;
  /** Null for a folder whose name does not fit into a row. */
  cwd: string | null;
  /** Null for an agent without a team file. */
  launch: string | null;
}

export function launchRow(agent: AgentId, cwd: string | null, launch: string | null): LaunchRow {
  return { agent, cwd: cwd !== null && isField(cwd) ? cwd : null, launch };
}

export const launchFormat: RowFormat<LaunchRow> = {
  rule: "a row is agent|folder|launch",
  parse(line) {
    const [agent = "", cwd = "", ...rest] = line.split("|");
    const launch = rest.join("|");
    const isGood = isAgentId(agent) && rest.length > 0 && isField(cwd) && isField(launch.replaceAll("|", ""));
    return isGood ? { agent, cwd: cwd || null, launch: launch || null } : this.rule;
  },
  format: ({ agent, cwd, launch }) => `${agent}|${cwd ?? ""}|${launch ?? ""}`,
  key: ({ agent }) => agent,
};
