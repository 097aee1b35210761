// Who sends: the agent whose tool this process is, or a person.

import type { Panes } from "../fleet/panes.js";
import type { Sender } from "../messages/sender.js";
import { holdOf } from "../stores/holds.js";
import type { Hive } from "./hive.js";

/** The agent whose tool runs this; null for a person. */
export function senderOf(hive: Pick<Hive, "caller" | "stores">, panes: Panes): Sender | null {
  const caller = hive.caller(panes);
  if (caller === null) return null;
  const { pane } = caller;
  if (pane === null) return { agent: null, role: null, pane: null, mayCommand: false };
  const { agent, address } = pane;
  const mayCommand = agent !== null && holdOf(hive.stores, agent.id, "COMMANDS") !== undefined;
  return { agent: agent?.id ?? null, role: agent?.role ?? null, pane: address, mayCommand };
}
