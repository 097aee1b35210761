// What the user set for agents: HELD keeps messages back, COMMANDS allows an agent to send commands.

import { type AgentId, isAgentId } from "../names/agent-id.js";
import type { PaneAddress } from "../names/gates.js";
import { oneOf, readAgent, readPane, readText, readTime, rowFormat } from "./file/fields.js";
import type { RowFile } from "./file/row-file.js";

export const holdWords = ["HELD", "COMMANDS"] as const;
export type HoldWord = (typeof holdWords)[number];

export interface HoldRow {
  /** Earlier versions wrote the pane. `withAgents` assigns such a row to the agent in that pane. */
  agent: AgentId | PaneAddress;
  word: HoldWord;
  /** UTC, `…Z`. */
  since: string;
  by: string;
}

/** The row of this agent with this word, if any. */
export function holdOf(
  { holds }: { holds: RowFile<HoldRow> },
  agent: AgentId,
  word: HoldWord,
): HoldRow | undefined {
  return holds.read().rows.find((row) => row.agent === agent && row.word === word);
}

/** Assigns rows of earlier versions to the agents of their panes. Returns the same array if there are none. */
export function withAgents(
  rows: readonly HoldRow[],
  agentAt: (pane: PaneAddress) => AgentId | undefined,
): readonly HoldRow[] {
  const agentOf = ({ agent }: HoldRow) => (isAgentId(agent) ? agent : agentAt(agent));
  if (rows.every((row) => (agentOf(row) ?? row.agent) === row.agent)) return rows;
  return rows.map((row) => ({ ...row, agent: agentOf(row) ?? row.agent }));
}

export const holdFormat = rowFormat<HoldRow>(
  "a row is agent|HELD or COMMANDS|time|by",
  {
    agent: (text) => readAgent(text) ?? readPane(text),
    word: oneOf(holdWords),
    since: readTime,
    by: readText,
  },
  ({ agent, word }) => `${agent}|${word}`,
);
