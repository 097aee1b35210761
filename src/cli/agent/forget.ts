// Removes agents from the roster.

import { HiveError } from "../../base/errors.js";
import { counted } from "../../base/text/counted.js";
import { harmless } from "../../base/text/escape-terminal.js";
import type { Panes } from "../../fleet/panes.js";
import { standingIn } from "../../fleet/roster/roster.js";
import type { Hive } from "../../hive/hive.js";
import type { AgentId } from "../../names/agent-id.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import { confirmOrRefuse } from "../ask.js";
import type { Cli, Command, Input } from "../command.js";
import { meantIn, nameArgument, teamOption } from "../named-agent.js";

export const agentForget: Command = {
  words: "agent forget",
  about: "remove an agent from the roster, present or away",
  args: [nameArgument],
  options: [teamOption],
  asks: "discards queued messages of the agent",
  examples: ["hivemind agent forget scout", "hivemind agent forget @k3f5q2a7dx --yes --json"],
  notes:
    "Keeps its conversation and lineage. Its queued messages move to the dead/ folder of the queues. The program in its\n" +
    "pane keeps running; to end it too: hivemind agent kill NAME --forget",
  hasJson: true,
  async run(cli, input) {
    const { agent, name, buried } = await forgetNamed(cli, input, "agent forget");
    if (input.flag("json")) {
      const { id, role, team, address: pane, session: uuid } = agent;
      cli.out.json({ agent: id, role, team, pane, uuid, buried });
    } else cli.out.print(`forgot ${name}`);
  },
};

/** Forgets the agent that NAME names; asks if it has queued messages. `buried`: how many of them went to `dead/`. */
export async function forgetNamed(cli: Cli, input: Input, command: string) {
  const hive = await cli.hive();
  const panes = await hive.panes();
  const { agent } = meantIn(hive, panes, input);
  if (agent === null)
    throw new HiveError(`no known agent in ${input.need("name")}`, { hint: "hivemind registry list" });
  refuseElsewhere(panes, [agent]);
  const waiting = hive.stores.queues.read(agent.id).messages.length;
  const name = agent.role ?? agent.address ?? `@${agent.id}`;
  const would = waiting > 0 ? [`discard ${counted(waiting, "queued message")} for ${name}`] : [];
  await confirmOrRefuse(input, { would, command: `${command} @${agent.id}` });
  const buried = await hive.whileChanging(agent.team, () => forgetAgents(hive, [agent]));
  if (buried > 0) cli.out.note(`moved ${counted(buried, "queued message")} to ${hive.paths.deadQueueFolder}`);
  return { agent, name, buried };
}

/** Returns how many messages went to `dead/`. */
export async function forgetAgents(
  { change, stores }: Pick<Hive, "change" | "stores">,
  agents: readonly Pick<AgentRow, "id">[],
): Promise<number> {
  const gone = new Set<AgentId>(agents.map(({ id }) => id));
  let buried = 0;
  await change((roster) => {
    buried = [...gone].reduce((sum, id) => sum + stores.queues.read(id).messages.length, 0);
    return { agents: roster.agents.filter(({ id }) => !gone.has(id)) };
  });
  return buried;
}

/** Refuses to change an agent that runs on another tmux server. */
export function refuseElsewhere({ roster }: Pick<Panes, "roster">, agents: readonly AgentRow[]): void {
  const agent = agents.find((each) => standingIn(roster, each) === "elsewhere");
  if (agent === undefined) return;
  throw new HiveError(`${agent.role ?? `@${agent.id}`} of ${agent.team} runs on another tmux server`, {
    hint: `look there: HIVEMIND_TMUX_SOCKET=${harmless(agent.seat!.server.socket)} hivemind status`,
  });
}
