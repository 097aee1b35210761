// The agent of a pane, for tests that talk to it without a command.

import { findPaneIn } from "../../src/fleet/find-pane.js";
import { knownAgent } from "../../src/fleet/roster/known-agent.js";
import type { Hive } from "../../src/hive/hive.js";
import type { AgentRow } from "../../src/stores/text/roster-rows.js";

/** An unknown agent gets an id. */
export async function agentIn(hive: Hive, pane: string): Promise<AgentRow> {
  const seen = await hive.panes();
  return knownAgent(hive, seen, findPaneIn(seen, pane));
}
