// The messages of one agent with their receipts.

import type { PaneOrAgent } from "../../fleet/find-pane.js";
import type { Panes } from "../../fleet/panes.js";
import { standingIn } from "../../fleet/roster/roster.js";
import { limits } from "../../limits.js";
import { type AgentMessage, agentMessages } from "../../messages/agent-messages.js";
import type { AgentId } from "../../names/agent-id.js";
import { messageParts } from "../../stores/queue/queue-rows.js";
import type { Stores } from "../../stores/stores.js";
import type { Cli, Input } from "../command.js";
import { type Output, shown } from "../output.js";

export async function listReceipts(
  cli: Cli,
  input: Input,
  { roster }: Panes,
  { agent, pane }: PaneOrAgent,
): Promise<void> {
  const { stores } = await cli.hive();
  const messages =
    agent === null
      ? []
      : agentMessages(stores.receipts.read().rows, agent.id, {
          agents: roster.agents,
          textOf: textsIn(stores),
          most: limits.agentMessages,
        });
  const facts = {
    agent: agent?.id ?? null,
    pane: agent?.address ?? pane?.address ?? null,
    role: agent?.role ?? null,
    standing: agent === null ? null : standingIn(roster, agent),
  };
  if (input.flag("json")) cli.out.json({ ...facts, messages });
  else show(messages, cli.out);
}

/** Only messages that are queued, or were never delivered, are still known. */
function textsIn({ queues }: Stores): (id: AgentMessage["id"]) => string | null {
  const byAgent = new Map<AgentId, ReadonlyMap<string, string>>();
  const textsOf = (agent: AgentId) => {
    const known = [...queues.buried(agent), ...queues.read(agent).messages];
    return new Map(known.map(({ id, text }) => [id as string, text]));
  };
  return (id) => {
    const { agent } = messageParts(id);
    if (agent === null) return null;
    const texts = byAgent.get(agent) ?? textsOf(agent);
    byAgent.set(agent, texts);
    return texts.get(id) ?? null;
  };
}

function show(messages: readonly AgentMessage[], out: Output): void {
  if (messages.length === 0) out.print("No messages lately.");
  for (const { direction, with: other, text, steps } of messages) {
    const way = direction === "sent" ? "to" : "from";
    const words = text === null ? "" : `  ${shown(text)}`;
    out.print(`${way} ${out.colours.bold(shown(other.name))}${words}`);
    for (const { at, step, detail } of steps) {
      const about = step === "queued" || detail === "" ? "" : `  ${shown(detail)}`;
      out.print(out.colours.dim(`  ${at}  ${step}${about}`));
    }
  }
}
