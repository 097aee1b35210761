// How each agent was started: its folder, and its settings in the team file. `up` compares those with the file.

import { jsonObject } from "../base/text/json-object.js";
import { type AgentId, isAgentId } from "../names/agent-id.js";
import { isField } from "../names/gates.js";
import type { RowFormat } from "./file/row-lines.js";

export interface LaunchRow {
  agent: AgentId;
  /** Null for a folder whose name does not fit into a row. */
  cwd: string | null;
  /** JSON. Without a team file it says only that the agent has hivemind's tools; null if there is nothing to say. */
  launch: string | null;
}

/** The launch of an agent without a team file that has hivemind's tools. */
export const toolsLaunch = JSON.stringify({ mcp: true });

/** Whether the agent had hivemind's tools when it was last started. */
export function hadTools(rows: readonly LaunchRow[], agent: AgentId): boolean {
  const launch = rows.find((row) => row.agent === agent)?.launch ?? null;
  return launch !== null && jsonObject(launch)?.mcp === true;
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
