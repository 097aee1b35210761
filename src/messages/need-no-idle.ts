// Which agents have a queued message that does not wait for an idle agent. Pure, except for reading the stores.

import type { Panes } from "../fleet/panes.js";
import type { AgentId } from "../names/agent-id.js";
import { historyOf } from "../stores/receipts.js";
import type { Stores } from "../stores/stores.js";
import { isHanded } from "./settle.js";
import { speakerIn } from "./speaker.js";
import { doorFor } from "./which-door.js";

/** Its inbox takes the message at any moment, or has it and the end of its delivery is to be seen. */
export function needNoIdle(
  { queues, receipts }: Pick<Stores, "queues" | "receipts">,
  { panes }: Pick<Panes, "panes">,
  agents: readonly AgentId[],
): AgentId[] {
  const rows = receipts.read().rows;
  return agents.filter((agent) => {
    const pane = panes.find((each) => each.agent?.id === agent);
    return queues.read(agent).messages.some((message) => {
      const history = historyOf(rows, message.id);
      if (isHanded(history)) return true;
      return pane !== undefined && doorFor(speakerIn(history), message, pane) === "inbox";
    });
  });
}
